import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AttestationsModule } from './attestations/attestations.module';
import { AuditModule } from './audit/audit.module';
import { BackgroundModule } from './background/background.module';
import { RetentionModule } from './background/retention.module';
import { CodeHostsModule } from './code-hosts/code-hosts.module';
import { ExtensionsModule } from './extensions/extensions.module';
import { InboxModule } from './inbox/inbox.module';
import { MetricsModule } from './metrics/metrics.module';
import { OutboxModule } from './outbox/outbox.module';
import type { Config } from './platform/config/config';
import { PlatformModule } from './platform/platform.module';
import { PullRequestsModule } from './pull-requests/pull-requests.module';
import { QueueProcessingModule } from './queue-processing/queue-processing.module';
import { QueuesModule } from './queues/queues.module';
import { TestHealthModule } from './test-health/test-health.module';
import { TracingModule } from './tracing/tracing.module';
import { UiModule } from './ui/ui.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The composition root: every module of the product, and nothing else, is listed here. */
const MODULES: readonly (Type | DynamicModule)[] = [
  CodeHostsModule,
  TracingModule,
  InboxModule,
  QueueProcessingModule,
  OutboxModule,
  QueuesModule,
  PullRequestsModule,
  MetricsModule,
  TestHealthModule,
  AuditModule,
  AttestationsModule,
  WebhooksModule,
  UiModule,
  ExtensionsModule,
  RetentionModule,
  BackgroundModule,
];

@Module({})
export class AppModule {
  static with(config: Config, extensions: readonly Type[] = [], background: 'on' | 'off' = 'on'): DynamicModule {
    return { module: AppModule, imports: [PlatformModule.with(config, background), ...MODULES, ...extensions] };
  }
}
