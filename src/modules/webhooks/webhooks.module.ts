import { Module } from '@nestjs/common';
import { SharedModule } from '../shared/shared.module';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';
import { WebhookDeliveryStore } from '../../processing/notifications/sending/webhook-delivery.store';
import { WebhookWorker } from '../../processing/notifications/sending/webhook.worker';

/** Tells other services and chats what happens. */
@Module({
  imports: [SharedModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhookDeliveriesService, WebhookDeliveryStore, WebhookWorker],
  exports: [WebhooksService, WebhookDeliveriesService],
})
export class WebhooksModule {}
