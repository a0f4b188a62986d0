-- Each is sorted by something that the questions ask the order of: in a table of a few rows all indexes cost the same, and only what need not be
-- sorted costs less.
DROP INDEX "Entry_head_idx";
CREATE INDEX "Entry_head_idx" ON "Entry"("queueId", "head", "number") WHERE "state" NOT IN ('merged', 'failed', 'cancelled');
DROP INDEX "Entry_standing_idx";
CREATE INDEX "Entry_standing_idx" ON "Entry"("queueId", "standing") WHERE "standing" IS NOT NULL;
DROP INDEX "Entry_waits_for_hopes_idx";
CREATE INDEX "Entry_waits_for_hopes_idx" ON "Entry"("queueId", "number")
  WHERE "state" = 'pending' AND "standing" IS NULL AND (coalesce(jsonb_array_length("flow"->'until'), 0) > 0);
CREATE INDEX "Entry_queueId_number_attempt_idx" ON "Entry"("queueId", "number", "attempt");
DROP INDEX "Entry_queueId_number_idx";
