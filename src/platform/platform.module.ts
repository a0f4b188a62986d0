import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { ThrottlerModule } from '@nestjs/throttler';
import { PrometheusModule } from '@willsoto/nestjs-prometheus';
import { register } from 'prom-client';
import { AuditLogWriter } from './audit/audit-log.writer';
import { ApiTokenGuard } from './auth/api-token.guard';
import { BrowserSessions } from './auth/browser-sessions';
import { CapabilityGuard } from './auth/capability.guard';
import { FailedAttempts } from './auth/failed-attempts';
import { RouteChecks } from './auth/route-checks';
import { SameOriginGuard } from './auth/same-origin.guard';
import { SignInLinks } from './auth/sign-in-links';
import { TokenResolver } from './auth/token-resolver';
import { Clock } from './clock/clock';
import { DatabaseClock, DatabaseTime } from './clock/database-time';
import { Config } from './config/config';
import { DatabaseModule } from './database/database.module';
import { ErrorFilter } from './error.filter';
import { RequestValidationPipe } from './errors/request-validation.pipe';
import { DatabaseProbe } from './health/database.probe';
import { DiskProbe } from './health/disk.probe';
import { HealthController } from './health/health.controller';
import { HealthProbes } from './health/health-probes';
import { MachineMetrics } from './health/machine-metrics';
import { MetricSources } from './metrics/metric-sources';
import { ProcessMetricsController } from './health/process-metrics.controller';
import { ProcessListReader } from './health/process-list';
import { ProcessesController } from './health/processes.controller';
import { ServiceProcesses } from './health/service-processes';
import { BodyGuard } from './http/body.guard';
import { ConnectionController } from './health/connection.controller';
import { IdleConnections } from './http/connections';
import { OutageGuard } from './http/outage.guard';
import { RATE_LIMIT_WINDOW_MS, RateLimitGuard } from './http/rate-limit.guard';
import { RequestBodies } from './http/request-bodies';
import { AdmissionGuard } from './http/admission.guard';
import { UnmatchedPaths } from './http/unmatched-paths';
import { Backlog } from './lifecycle/backlog';
import { Background } from './lifecycle/background';
import { CrashPoints } from './lifecycle/crash-points';
import { Lifecycle } from './lifecycle/lifecycle';
import { Wakeups } from './wakeups/wakeups';
import { DurableWorkers } from './workers/durable-worker';
import { WorkerPlaces } from './workers/worker-places';

const SHARED = [
  { provide: Clock, useClass: DatabaseClock },
  Wakeups,
  Lifecycle,
  Backlog,
  CrashPoints,
  HealthProbes,
  DurableWorkers,
  WorkerPlaces,
  MetricSources,
  ServiceProcesses,
  ProcessListReader,
  RequestBodies,
  TokenResolver,
  FailedAttempts,
  BrowserSessions,
  SignInLinks,
];

/**
 * Nest runs the guards in this order: 503 during an outage or overload, 401, 403 for forms of other sites, 429, the
 * body's 413, 415 and 400, 403. Fields are validated last.
 */
const GUARDS = [
  { provide: APP_GUARD, useClass: OutageGuard },
  { provide: APP_GUARD, useClass: AdmissionGuard },
  { provide: APP_GUARD, useExisting: ApiTokenGuard },
  { provide: APP_GUARD, useClass: SameOriginGuard },
  { provide: APP_GUARD, useClass: RateLimitGuard },
  { provide: APP_GUARD, useClass: BodyGuard },
  { provide: APP_GUARD, useClass: CapabilityGuard },
];

@Global()
@Module({})
export class PlatformModule {
  static with(config: Config, work: 'on' | 'off' = 'on'): DynamicModule {
    const configuration = { provide: Config, useValue: config };
    const background = { provide: Background, useValue: new Background(work) };
    return {
      module: PlatformModule,
      imports: [
        DatabaseModule,
        DiscoveryModule,
        ScheduleModule.forRoot(),
        ThrottlerModule.forRoot([{ limit: config.rateLimitPerMinute, ttl: RATE_LIMIT_WINDOW_MS }]),
        PrometheusModule.register({
          controller: ProcessMetricsController,
          path: '/', // otherwise the module moves the controller
          // All applications of the process share the registry, and in tests a process has several applications.
          defaultMetrics: { enabled: register.getSingleMetric('process_cpu_user_seconds_total') === undefined },
        }),
      ],
      controllers: [HealthController, ProcessesController, ConnectionController],
      providers: [
        configuration,
        background,
        ...SHARED,
        ApiTokenGuard,
        ...GUARDS,
        DatabaseTime,
        RouteChecks,
        UnmatchedPaths,
        DatabaseProbe,
        DiskProbe,
        MachineMetrics,
        IdleConnections,
        AuditLogWriter,
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
      ],
      exports: [configuration, background, ...SHARED],
    };
  }
}
