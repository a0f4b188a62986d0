import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AttestationsModule } from '../modules/attestations/attestations.module';
import { ErrorPages } from '../platform/errors/error-pages';
import { PullRequestsModule } from '../modules/pull-requests/pull-requests.module';
import { QueuesModule } from '../modules/queues/queues.module';
import { ViewsModule } from '../modules/views/views.module';
import { SharedModule } from '../modules/shared/shared.module';
import { WebhooksModule } from '../modules/webhooks/webhooks.module';
import { AssetsController } from './assets.controller';
import { PageErrors } from './page-errors';
import { LiveController } from './live/live.controller';
import { FormAddressesController } from './pages/form-addresses.controller';
import { HistoryController } from './pages/history/history.controller';
import { LogsController } from './pages/logs/logs.controller';
import { OverviewController } from './pages/overview/overview.controller';
import { PullRequestController } from './pages/pull-request/pull-request.controller';
import { QueueFormsController } from './pages/queue/queue-forms.controller';
import { QueuePages } from './pages/queue/queue-pages';
import { QueueController } from './pages/queue/queue.controller';
import { QueueSettingsController } from './pages/settings/settings.controller';
import { SignInLinkController } from './pages/sign-in/sign-in-link.controller';
import { SignInController } from './pages/sign-in/sign-in.controller';
import { TestsController } from './pages/tests/tests.controller';
import { WebhookFormsController } from './pages/webhooks/webhook-forms.controller';
import { WebhookPages } from './pages/webhooks/webhook-pages';
import { WebhookPagesController } from './pages/webhooks/webhooks.controller';
import { TeamPages } from './team-pages/team-pages';
import { TeamPagesController } from './team-pages/team-pages.controller';

/** The pages for browsers, below `/ui`. Each page shows the answer of an API operation. */
@Module({
  imports: [
    AttestationsModule,
    DiscoveryModule,
    PullRequestsModule,
    QueuesModule,
    ViewsModule,
    SharedModule,
    WebhooksModule,
  ],
  controllers: [
    AssetsController,
    // This controller comes before the controllers that take any text after `webhooks/` and `tests/` for an id.
    FormAddressesController,
    SignInController,
    SignInLinkController,
    OverviewController,
    QueueController,
    QueueFormsController,
    PullRequestController,
    HistoryController,
    QueueSettingsController,
    LiveController,
    LogsController,
    TestsController,
    WebhookPagesController,
    WebhookFormsController,
    TeamPagesController,
  ],
  providers: [QueuePages, TeamPages, WebhookPages, { provide: ErrorPages, useClass: PageErrors }],
})
export class UiModule {}
