-- CreateTable
CREATE TABLE "Organization" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiToken" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Repository" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Repository_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PullRequest" (
    "id" UUID NOT NULL,
    "repositoryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "authorEmail" TEXT,
    "url" TEXT,
    "headSha" TEXT NOT NULL,
    "headBranch" TEXT,
    "baseBranch" TEXT,
    "state" TEXT NOT NULL,
    "draft" BOOLEAN NOT NULL,
    "mergeability" TEXT NOT NULL,
    "observedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PullRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Queue" (
    "id" UUID NOT NULL,
    "repositoryId" UUID NOT NULL,
    "branch" TEXT NOT NULL,
    "liveBranch" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),
    "state" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "requestedMode" TEXT,
    "stateAfterSwitch" TEXT,
    "concurrency" BIGINT NOT NULL,
    "bisectionConcurrency" BIGINT,
    "testingTimeoutMinutes" BIGINT NOT NULL,
    "pendingFailureDepth" BIGINT NOT NULL,
    "canOptimisticallyMerge" BOOLEAN NOT NULL,
    "batch" BOOLEAN NOT NULL,
    "batchingMaxWaitTimeMinutes" BIGINT NOT NULL,
    "batchingMinSize" BIGINT NOT NULL,
    "commentsEnabled" BOOLEAN NOT NULL,
    "commandsEnabled" BOOLEAN NOT NULL,
    "createPrsForTestingBranches" BOOLEAN NOT NULL,
    "statusCheckEnabled" BOOLEAN NOT NULL,
    "requiredStatuses" TEXT[],
    "directMergeMode" TEXT NOT NULL,
    "optimizationMode" TEXT NOT NULL,
    "mergeMethod" TEXT NOT NULL,
    "extensionEnabled" BOOLEAN NOT NULL DEFAULT true,
    "labelCommandsEnabled" BOOLEAN NOT NULL DEFAULT true,
    "stateLabelsEnabled" BOOLEAN NOT NULL DEFAULT false,
    "enqueueingLabel" TEXT NOT NULL,
    "notReadyTimeoutHours" BIGINT NOT NULL,
    "testBranchConstructionMode" TEXT NOT NULL,
    "allowedBotSubmitters" TEXT[],
    "batchingRules" JSONB NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "wakeAt" TIMESTAMPTZ(3),
    "nextRun" INTEGER NOT NULL DEFAULT 1,
    "nextLanding" INTEGER NOT NULL DEFAULT 1,
    "nextLog" BIGINT NOT NULL DEFAULT 1,
    "nextOrder" BIGINT NOT NULL DEFAULT 1,
    "nextPlace" BIGINT NOT NULL DEFAULT 1,
    "tipCommit" TEXT,
    "tipTree" TEXT,
    "tipSeenAt" TIMESTAMPTZ(3),
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "landedSeq" BIGINT NOT NULL DEFAULT 0,
    "concluded" BIGINT NOT NULL DEFAULT 0,
    "landing" JSONB,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "retryAt" TIMESTAMPTZ(3),

    CONSTRAINT "Queue_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Entry" (
    "id" UUID NOT NULL,
    "queueId" UUID NOT NULL,
    "pullRequestId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "stateChangedAt" TIMESTAMPTZ(3) NOT NULL,
    "stateReason" TEXT,
    "stateActor" TEXT,
    "stateRunId" UUID,
    "verifiedByRunId" UUID,
    "head" TEXT NOT NULL,
    "priority" BIGINT NOT NULL,
    "usedDefaultPriority" BOOLEAN NOT NULL,
    "noBatch" BOOLEAN NOT NULL,
    "pendingRank" INTEGER NOT NULL,
    "returnedOrder" BIGINT NOT NULL,
    "submittedOrder" BIGINT NOT NULL,
    "place" BIGINT,
    "placeIndex" INTEGER NOT NULL,
    "urgentInLine" BOOLEAN NOT NULL,
    "submittedAt" TIMESTAMPTZ(3) NOT NULL,
    "pendingSince" TIMESTAMPTZ(3),
    "firstPendingAt" TIMESTAMPTZ(3),
    "notReadySince" TIMESTAMPTZ(3),
    "concludedAt" TIMESTAMPTZ(3),
    "judgedMode" TEXT NOT NULL,
    "askAgainAt" TIMESTAMPTZ(3),
    "timesAsked" INTEGER NOT NULL,
    "redRebuiltAt" BIGINT,

    CONSTRAINT "Entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestRun" (
    "id" UUID NOT NULL,
    "queueId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "phase" TEXT NOT NULL,
    "live" BOOLEAN NOT NULL,
    "place" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "baseCommit" TEXT NOT NULL,
    "baseTree" TEXT NOT NULL,
    "baseEpoch" INTEGER NOT NULL,
    "baseLandedSeq" BIGINT NOT NULL,
    "builtOn" JSONB NOT NULL,
    "mergeMethod" TEXT NOT NULL,
    "timeoutMinutes" BIGINT NOT NULL,
    "requiredStatuses" TEXT[],
    "requiredStatusesSource" TEXT,
    "branch" TEXT,
    "commit" TEXT,
    "tree" TEXT,
    "pushedAt" TIMESTAMPTZ(3),
    "deadline" TIMESTAMPTZ(3),
    "failure" JSONB,
    "conflict" JSONB,
    "endedAt" TIMESTAMPTZ(3),
    "endedBecause" TEXT,
    "result" TEXT,
    "resultAt" TIMESTAMPTZ(3),

    CONSTRAINT "TestRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestRunMember" (
    "runId" UUID NOT NULL,
    "entryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "TestRunMember_pkey" PRIMARY KEY ("runId","position")
);

-- CreateTable
CREATE TABLE "LandedChange" (
    "queueId" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "entryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "tree" TEXT NOT NULL,
    "landedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LandedChange_pkey" PRIMARY KEY ("queueId","seq")
);

-- CreateTable
CREATE TABLE "QueueLog" (
    "queueId" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "entryId" UUID,
    "attempt" INTEGER,
    "runId" UUID,
    "fromState" TEXT,
    "toState" TEXT,
    "reason" TEXT,
    "actor" TEXT,
    "queueType" TEXT NOT NULL DEFAULT 'main',
    "change" JSONB NOT NULL,

    CONSTRAINT "QueueLog_pkey" PRIMARY KEY ("queueId","seq")
);

-- CreateTable
CREATE TABLE "CommitStatus" (
    "repositoryId" UUID NOT NULL,
    "sha" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "hostTime" TIMESTAMPTZ(3) NOT NULL,
    "hostId" TEXT NOT NULL,
    "url" TEXT,
    "description" TEXT,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CommitStatus_pkey" PRIMARY KEY ("repositoryId","sha","kind","name")
);

-- CreateTable
CREATE TABLE "CheckRun" (
    "id" UUID NOT NULL,
    "repositoryId" UUID NOT NULL,
    "testRunId" UUID NOT NULL,
    "sha" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "command" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "leasedBy" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "exitCode" INTEGER,
    "log" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "CheckRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ImpactedTargets" (
    "repositoryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "sha" TEXT NOT NULL,
    "all" BOOLEAN NOT NULL,
    "targetCount" INTEGER NOT NULL,
    "names" TEXT[],
    "hashes" BIGINT[],
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ImpactedTargets_pkey" PRIMARY KEY ("repositoryId","number","sha")
);

-- CreateTable
CREATE TABLE "Candidate" (
    "runId" UUID NOT NULL,
    "repositoryId" UUID NOT NULL,
    "branch" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "tree" TEXT NOT NULL,
    "committedAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Candidate_pkey" PRIMARY KEY ("runId")
);

-- CreateTable
CREATE TABLE "OutboxOrder" (
    "id" BIGSERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "queueId" UUID,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "topic" TEXT,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "state" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "notBefore" TIMESTAMPTZ(3) NOT NULL,
    "leasedBy" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "answers" INTEGER NOT NULL DEFAULT 0,
    "firstFailedAt" TIMESTAMPTZ(3),
    "lastProblem" TEXT,
    "notes" JSONB,
    "settledAt" TIMESTAMPTZ(3),
    "outcome" JSONB,
    "consumedAt" TIMESTAMPTZ(3),

    CONSTRAINT "OutboxOrder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InboxDelivery" (
    "id" BIGSERIAL NOT NULL,
    "host" TEXT NOT NULL,
    "deliveryId" TEXT NOT NULL,
    "repositoryId" UUID,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "notBefore" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "lastProblem" TEXT,
    "processedAt" TIMESTAMPTZ(3),

    CONSTRAINT "InboxDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestCase" (
    "id" UUID NOT NULL,
    "repositoryId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "variant" TEXT NOT NULL,
    "filePath" TEXT NOT NULL,
    "parent" TEXT NOT NULL,
    "classname" TEXT NOT NULL,
    "codeowners" TEXT[],
    "status" TEXT NOT NULL,
    "statusReason" TEXT NOT NULL,
    "statusChangedAt" TIMESTAMPTZ(3) NOT NULL,
    "quarantineSetting" TEXT NOT NULL,
    "quarantined" BOOLEAN NOT NULL,
    "quarantinedAt" TIMESTAMPTZ(3),
    "ticketUrl" TEXT,

    CONSTRAINT "TestCase_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestResult" (
    "id" BIGSERIAL NOT NULL,
    "testCaseId" UUID NOT NULL,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT NOT NULL,
    "summary" TEXT,
    "prNumber" INTEGER,
    "branch" TEXT,
    "commit" TEXT,

    CONSTRAINT "TestResult_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Organization_slug_key" ON "Organization"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_organizationId_name_key" ON "ApiToken"("organizationId", "name");

-- CreateIndex
CREATE INDEX "Repository_organizationId_idx" ON "Repository"("organizationId");

-- CreateIndex
CREATE UNIQUE INDEX "Repository_host_owner_name_key" ON "Repository"("host", "owner", "name");

-- CreateIndex
CREATE INDEX "PullRequest_repositoryId_headBranch_idx" ON "PullRequest"("repositoryId", "headBranch");

-- CreateIndex
CREATE UNIQUE INDEX "PullRequest_repositoryId_number_key" ON "PullRequest"("repositoryId", "number");

-- CreateIndex
CREATE INDEX "Queue_wakeAt_idx" ON "Queue"("wakeAt");

-- CreateIndex
CREATE UNIQUE INDEX "Queue_repositoryId_liveBranch_key" ON "Queue"("repositoryId", "liveBranch");

-- CreateIndex
CREATE INDEX "Entry_queueId_number_idx" ON "Entry"("queueId", "number");

-- CreateIndex
CREATE INDEX "Entry_queueId_state_pendingRank_returnedOrder_priority_subm_idx" ON "Entry"("queueId", "state", "pendingRank", "returnedOrder", "priority", "submittedOrder");

-- CreateIndex
CREATE INDEX "Entry_queueId_place_idx" ON "Entry"("queueId", "place");

-- CreateIndex
CREATE INDEX "Entry_queueId_state_notReadySince_idx" ON "Entry"("queueId", "state", "notReadySince");

-- CreateIndex
CREATE INDEX "Entry_queueId_judgedMode_state_idx" ON "Entry"("queueId", "judgedMode", "state");

-- CreateIndex
CREATE INDEX "Entry_queueId_askAgainAt_idx" ON "Entry"("queueId", "askAgainAt");

-- CreateIndex
CREATE UNIQUE INDEX "Entry_queueId_pullRequestId_key" ON "Entry"("queueId", "pullRequestId");

-- CreateIndex
CREATE INDEX "TestRun_queueId_live_idx" ON "TestRun"("queueId", "live");

-- CreateIndex
CREATE INDEX "TestRun_commit_idx" ON "TestRun"("commit");

-- CreateIndex
CREATE UNIQUE INDEX "TestRun_queueId_number_key" ON "TestRun"("queueId", "number");

-- CreateIndex
CREATE INDEX "TestRunMember_entryId_idx" ON "TestRunMember"("entryId");

-- CreateIndex
CREATE INDEX "LandedChange_entryId_idx" ON "LandedChange"("entryId");

-- CreateIndex
CREATE INDEX "QueueLog_entryId_seq_idx" ON "QueueLog"("entryId", "seq");

-- CreateIndex
CREATE INDEX "QueueLog_queueId_at_idx" ON "QueueLog"("queueId", "at");

-- CreateIndex
CREATE INDEX "CheckRun_state_createdAt_idx" ON "CheckRun"("state", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "CheckRun_testRunId_name_key" ON "CheckRun"("testRunId", "name");

-- CreateIndex
CREATE INDEX "Candidate_repositoryId_tree_idx" ON "Candidate"("repositoryId", "tree");

-- CreateIndex
CREATE UNIQUE INDEX "Candidate_repositoryId_commit_key" ON "Candidate"("repositoryId", "commit");

-- CreateIndex
CREATE UNIQUE INDEX "OutboxOrder_key_key" ON "OutboxOrder"("key");

-- CreateIndex
CREATE UNIQUE INDEX "OutboxOrder_topic_key" ON "OutboxOrder"("topic");

-- CreateIndex
CREATE INDEX "OutboxOrder_state_notBefore_idx" ON "OutboxOrder"("state", "notBefore");

-- CreateIndex
CREATE INDEX "OutboxOrder_subject_state_id_idx" ON "OutboxOrder"("subject", "state", "id");

-- CreateIndex
CREATE INDEX "OutboxOrder_queueId_consumedAt_settledAt_idx" ON "OutboxOrder"("queueId", "consumedAt", "settledAt");

-- CreateIndex
CREATE INDEX "OutboxOrder_consumedAt_settledAt_idx" ON "OutboxOrder"("consumedAt", "settledAt");

-- CreateIndex
CREATE INDEX "InboxDelivery_processedAt_notBefore_idx" ON "InboxDelivery"("processedAt", "notBefore");

-- CreateIndex
CREATE UNIQUE INDEX "InboxDelivery_host_deliveryId_key" ON "InboxDelivery"("host", "deliveryId");

-- CreateIndex
CREATE INDEX "TestCase_repositoryId_status_id_idx" ON "TestCase"("repositoryId", "status", "id");

-- CreateIndex
CREATE INDEX "TestCase_repositoryId_quarantined_id_idx" ON "TestCase"("repositoryId", "quarantined", "id");

-- CreateIndex
CREATE INDEX "TestResult_testCaseId_occurredAt_idx" ON "TestResult"("testCaseId", "occurredAt");

-- CreateIndex
CREATE INDEX "TestResult_occurredAt_idx" ON "TestResult"("occurredAt");

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Repository" ADD CONSTRAINT "Repository_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PullRequest" ADD CONSTRAINT "PullRequest_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Queue" ADD CONSTRAINT "Queue_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Entry" ADD CONSTRAINT "Entry_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Entry" ADD CONSTRAINT "Entry_pullRequestId_fkey" FOREIGN KEY ("pullRequestId") REFERENCES "PullRequest"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestRun" ADD CONSTRAINT "TestRun_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestRunMember" ADD CONSTRAINT "TestRunMember_runId_fkey" FOREIGN KEY ("runId") REFERENCES "TestRun"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LandedChange" ADD CONSTRAINT "LandedChange_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "QueueLog" ADD CONSTRAINT "QueueLog_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CommitStatus" ADD CONSTRAINT "CommitStatus_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CheckRun" ADD CONSTRAINT "CheckRun_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImpactedTargets" ADD CONSTRAINT "ImpactedTargets_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Candidate" ADD CONSTRAINT "Candidate_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestCase" ADD CONSTRAINT "TestCase_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestResult" ADD CONSTRAINT "TestResult_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
