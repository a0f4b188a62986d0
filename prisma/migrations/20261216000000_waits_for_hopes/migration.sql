-- In flow, urgent entries that were red on what is still tested are read beside the first of those that wait.
CREATE INDEX "Entry_waits_for_hopes_idx" ON "Entry"("queueId")
  WHERE "state" = 'pending' AND "standing" IS NULL AND (coalesce(jsonb_array_length("flow"->'until'), 0) > 0);
