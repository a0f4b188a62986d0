import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { AttestationsModule } from './modules/attestations/attestations.module';
import { AuditModule } from './modules/audit/audit.module';
import { BackgroundModule } from './platform/background/background.module';
import { RetentionModule } from './processing/retention/retention.module';
import { CodeHostsModule } from './code-hosts/code-hosts.module';
import { ExtensionsModule } from './extensions/extensions.module';
import { ForecastsModule } from './processing/forecasts/forecasts.module';
import { InboxModule } from './processing/inbox/inbox.module';
import { MetricsModule } from './modules/metrics/metrics.module';
import { NotificationsModule } from './processing/notifications/notifications.module';
import { OutboxModule } from './processing/outbox/outbox.module';
import type { Config } from './platform/config/config';
import { PlatformModule } from './platform/platform.module';
import { PullRequestViewsModule } from './processing/pull-request-views/pull-request-views.module';
import { PullRequestsModule } from './modules/pull-requests/pull-requests.module';
import { DecisionsModule } from './processing/decisions/decisions.module';
import { QueuesModule } from './modules/queues/queues.module';
import { TestHealthModule } from './modules/test-health/test-health.module';
import { TokensModule } from './modules/tokens/tokens.module';
import { TracingModule } from './processing/tracing/tracing.module';
import { UiModule } from './ui/ui.module';
import { WebhooksModule } from './modules/webhooks/webhooks.module';

/** The composition root: a list of every module of the product, and nothing else. */
const MODULES: readonly (Type | DynamicModule)[] = [
  CodeHostsModule,
  TracingModule,
  InboxModule,
  DecisionsModule,
  ForecastsModule,
  PullRequestViewsModule,
  OutboxModule,
  NotificationsModule,
  QueuesModule,
  PullRequestsModule,
  MetricsModule,
  TestHealthModule,
  AuditModule,
  TokensModule,
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
