-- Each holds only the few rows that a decision looks for, so it is cheap whatever has concluded, whenever its plan was made, and a row that is
-- written need not be entered where it is not looked for.
CREATE INDEX "Entry_placed_idx" ON "Entry"("queueId", "place") WHERE "place" IS NOT NULL;
DROP INDEX "Entry_queueId_place_idx";
CREATE INDEX "Entry_searched_idx" ON "Entry"("queueId", "search") WHERE "search" IS NOT NULL;
DROP INDEX "Entry_queueId_search_idx";
CREATE INDEX "Entry_notReady_idx" ON "Entry"("queueId", "notReadySince") WHERE "state" = 'not_ready';
DROP INDEX "Entry_queueId_state_notReadySince_idx";
CREATE INDEX "Entry_judged_idx" ON "Entry"("queueId", "judgedMode", "state") WHERE "state" IN ('not_ready', 'pending');
DROP INDEX "Entry_queueId_judgedMode_state_idx";
CREATE INDEX "Entry_asked_idx" ON "Entry"("queueId", "askAgainAt") WHERE "state" = 'pending' AND "askAgainAt" IS NOT NULL;
DROP INDEX "Entry_queueId_askAgainAt_idx";
CREATE INDEX "Entry_held_idx" ON "Entry"("queueId", "waitsForConfig") WHERE "waitsForConfig" IS NOT NULL;
DROP INDEX "Entry_queueId_waitsForConfig_idx";
CREATE INDEX "Entry_concluded_idx" ON "Entry"("queueId", "concludedAt") WHERE "concludedAt" IS NOT NULL;
DROP INDEX "Entry_queueId_concludedAt_idx";
CREATE INDEX "Entry_head_idx" ON "Entry"("queueId", "head") WHERE "state" NOT IN ('merged', 'failed', 'cancelled');
DROP INDEX "Entry_queueId_head_idx";
CREATE INDEX "TestRun_live_idx" ON "TestRun"("queueId", "number") WHERE "live";
DROP INDEX "TestRun_queueId_live_idx";
CREATE INDEX "OutboxOrder_outcome_idx" ON "OutboxOrder"("queueId", "settledAt", "id")
  WHERE "consumedAt" IS NULL AND "settledAt" IS NOT NULL;
DROP INDEX "OutboxOrder_queueId_consumedAt_settledAt_idx";
CREATE INDEX "OutboxOrder_consumed_idx" ON "OutboxOrder"("consumedAt") WHERE "consumedAt" IS NOT NULL;
DROP INDEX "OutboxOrder_consumedAt_settledAt_idx";
CREATE INDEX "OutboxOrder_unanswered_idx" ON "OutboxOrder"("queueId") WHERE "firstFailedAt" IS NOT NULL;
