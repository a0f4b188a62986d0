import { Module } from '@nestjs/common';
import { WebhookDeliveryStore } from './webhook-delivery.store';
import { WebhookWorker } from './webhook.worker';

/** Sends events to other services and chats: stored with the decision, sent at least once. */
@Module({
  providers: [WebhookDeliveryStore, WebhookWorker],
  exports: [WebhookDeliveryStore, WebhookWorker],
})
export class NotificationsModule {}
