-- CreateTable
CREATE TABLE "AuditEvent" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "organizationId" UUID NOT NULL,
    "repositoryId" UUID,
    "actor" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "address" TEXT,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UnloggedAuditEvent" (
    "id" BIGINT NOT NULL,

    CONSTRAINT "UnloggedAuditEvent_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "AuditEvent_organizationId_id_idx" ON "AuditEvent"("organizationId", "id");

-- What is recorded stays: also for whoever has the password of the service's database, short of changing the table itself.
CREATE FUNCTION refuse_change_of_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The audit log is append-only: % is refused.', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER audit_event_is_append_only
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "AuditEvent"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_event();
