-- Addresses that are told what happens, and the deliveries to them.
CREATE TABLE "Webhook" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "repositoryId" UUID,
    "branch" TEXT,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "people" JSONB NOT NULL DEFAULT '{}',
    "secret" TEXT NOT NULL,
    "previousSecret" TEXT,
    "previousUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "createdBy" TEXT NOT NULL,
    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "Webhook_organizationId_name_key" ON "Webhook"("organizationId", "name");
CREATE INDEX "Webhook_repositoryId_idx" ON "Webhook"("repositoryId");
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "WebhookDelivery" (
    "id" BIGSERIAL NOT NULL,
    "webhookId" UUID NOT NULL,
    "eventId" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "notBefore" TIMESTAMPTZ(3) NOT NULL,
    "leasedBy" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "settledAt" TIMESTAMPTZ(3),
    "lastStatus" INTEGER,
    "lastProblem" TEXT,
    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "WebhookDelivery_state_notBefore_idx" ON "WebhookDelivery"("state", "notBefore");
CREATE INDEX "WebhookDelivery_webhookId_subject_state_id_idx" ON "WebhookDelivery"("webhookId", "subject", "state", "id");
CREATE INDEX "WebhookDelivery_webhookId_id_idx" ON "WebhookDelivery"("webhookId", "id");
CREATE INDEX "WebhookDelivery_settledAt_idx" ON "WebhookDelivery"("settledAt");
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;
