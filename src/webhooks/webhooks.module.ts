import { Module } from '@nestjs/common';
import { SharedModule } from '../shared/shared.module';
import { WebhookDeliveriesService } from './http/webhook-deliveries.service';
import { WebhooksController } from './http/webhooks.controller';
import { WebhooksService } from './http/webhooks.service';
import { WebhookDeliveryStore } from './sending/webhook-delivery.store';
import { WebhookWorker } from './sending/webhook.worker';

/** Tells other services and chats what happens. */
@Module({
  imports: [SharedModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhookDeliveriesService, WebhookDeliveryStore, WebhookWorker],
  exports: [WebhooksService, WebhookDeliveriesService],
})
export class WebhooksModule {}
