-- The settings page asks for what changed in one queue, and tokens that are limited to repositories for what is about these.
-- A subject may be longer than an entry of a b-tree.
CREATE INDEX "AuditEvent_subject_idx" ON "AuditEvent" USING HASH ("subject");
CREATE INDEX "AuditEvent_repositoryId_id_idx" ON "AuditEvent"("repositoryId", "id");
