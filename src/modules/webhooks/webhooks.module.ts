import { Module } from '@nestjs/common';
import { NotificationsModule } from '../../processing/notifications/notifications.module';
import { SharedModule } from '../shared/shared.module';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

/** Webhooks to other services: created, listed, tested and removed over the API. */
@Module({
  imports: [NotificationsModule, SharedModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhookDeliveriesService],
  exports: [WebhooksService, WebhookDeliveriesService],
})
export class WebhooksModule {}
