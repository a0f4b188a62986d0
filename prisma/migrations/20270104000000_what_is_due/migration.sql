-- Tasks that are due are claimed many times a second. Each index holds only tasks that are not settled, in the order in which they are claimed:
-- so they are read one by one from its begin, and what was settled lately is passed over.
CREATE INDEX "OutboxOrder_dueWork_idx" ON "OutboxOrder"("notBefore", "id")
  WHERE "state" = 'waiting' AND "type" NOT IN ('updatePullRequestView', 'answerComment', 'answerTrigger');
CREATE INDEX "OutboxOrder_dueShow_idx" ON "OutboxOrder"("notBefore", "id")
  WHERE "state" = 'waiting' AND "type" IN ('updatePullRequestView', 'answerComment', 'answerTrigger');
CREATE INDEX "OutboxOrder_leased_idx" ON "OutboxOrder"("leaseUntil", "id") WHERE "state" = 'leased';
CREATE INDEX "OutboxOrder_unsettled_idx" ON "OutboxOrder"("subject", "id") WHERE "state" IN ('waiting', 'leased');
CREATE INDEX "OutboxOrder_dead_idx" ON "OutboxOrder"("id") WHERE "state" = 'dead';
DROP INDEX "OutboxOrder_state_notBefore_idx";
DROP INDEX "OutboxOrder_subject_state_id_idx";
-- With every status it is asked whether a pull request of the repository waits for one. Usually none does.
CREATE INDEX "PullRequest_unmet_idx" ON "PullRequest"("repositoryId") WHERE "unmet" <> '[]';
