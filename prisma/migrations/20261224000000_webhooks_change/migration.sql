-- A webhook may be changed and paused. A delivery may be made again: it keeps its id, and its attempts count on.
ALTER TABLE "Webhook" ADD COLUMN "description" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Webhook" ADD COLUMN "isPaused" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Webhook" ADD COLUMN "gatherSeconds" INTEGER NOT NULL DEFAULT 60;
ALTER TABLE "WebhookDelivery" ADD COLUMN "requestedAt" TIMESTAMPTZ(3);
ALTER TABLE "WebhookDelivery" ADD COLUMN "earlierAttempts" INTEGER NOT NULL DEFAULT 0;
