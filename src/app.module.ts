import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { CodeHostsModule } from './code-hosts/code-hosts.module';
import { MetricsModule } from './metrics/metrics.module';
import { OutboxModule } from './outbox/outbox.module';
import type { Config } from './platform/config/config';
import { PlatformModule } from './platform/platform.module';
import { ProcessingModule } from './processing/processing.module';
import { PullRequestsModule } from './pull-requests/pull-requests.module';
import { QueuesModule } from './queues/queues.module';
import { TestHealthModule } from './test-health/test-health.module';

/** The composition root: every module of the product, and nothing else, is listed here. */
const MODULES: readonly (Type | DynamicModule)[] = [
  CodeHostsModule,
  OutboxModule,
  ProcessingModule,
  QueuesModule,
  PullRequestsModule,
  MetricsModule,
  TestHealthModule,
];

@Module({})
export class AppModule {
  static with(config: Config, extensions: readonly Type[] = [], background: 'on' | 'off' = 'on'): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.with(config, background), ...MODULES, ...extensions] };
  }
}
