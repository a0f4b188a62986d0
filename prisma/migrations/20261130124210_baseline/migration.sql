-- Made by `npm run db:baseline`. First the statements of Prisma for schema.prisma.

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

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
    "roleVersion" INTEGER NOT NULL DEFAULT 1,
    "repositoryIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "bestPriority" BIGINT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "rotatedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "previousHash" TEXT,
    "previousUntil" TIMESTAMPTZ(3),
    "previousRoleVersion" INTEGER,

    CONSTRAINT "ApiToken_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BrowserSession" (
    "hash" TEXT NOT NULL,
    "tokenId" UUID NOT NULL,
    "secretHash" TEXT NOT NULL,
    "personName" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "BrowserSession_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "SignInLink" (
    "hash" TEXT NOT NULL,
    "tokenId" UUID NOT NULL,
    "secretHash" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SignInLink_pkey" PRIMARY KEY ("hash")
);

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

-- CreateTable
CREATE TABLE "Repository" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "lookupName" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "hostId" TEXT,
    "unreachableSince" TIMESTAMPTZ(3),
    "refusal" TEXT,
    "unreadSince" TIMESTAMPTZ(3),
    "commentsReadTo" TIMESTAMPTZ(3),
    "labelsReadTo" TIMESTAMPTZ(3),

    CONSTRAINT "Repository_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ServiceHeartbeat" (
    "id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ServiceHeartbeat_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ServiceProcess" (
    "id" UUID NOT NULL,
    "machine" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "facts" JSONB NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ServiceProcess_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ServiceDowntime" (
    "from" TIMESTAMPTZ(3) NOT NULL,
    "to" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ServiceDowntime_pkey" PRIMARY KEY ("from")
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
    "commits" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "headBranch" TEXT,
    "baseBranch" TEXT,
    "state" TEXT NOT NULL,
    "draft" BOOLEAN NOT NULL,
    "mergeability" TEXT NOT NULL,
    "unmet" JSONB NOT NULL DEFAULT '[]',
    "stack" JSONB,
    "approvedBy" JSONB NOT NULL DEFAULT '[]',
    "observedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PullRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "PullRequestHead" (
    "repositoryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "pushedBy" TEXT,

    CONSTRAINT "PullRequestHead_pkey" PRIMARY KEY ("repositoryId","number")
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
    "stateChangedAt" TIMESTAMPTZ(3),
    "stateActor" TEXT,
    "mode" TEXT NOT NULL,
    "requestedMode" TEXT,
    "stateAfterSwitch" TEXT,
    "settings" JSONB NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "wakeAt" TIMESTAMPTZ(3),
    "nextRun" INTEGER NOT NULL DEFAULT 1,
    "nextLanding" INTEGER NOT NULL DEFAULT 1,
    "nextLog" BIGINT NOT NULL DEFAULT 1,
    "nextOrder" BIGINT NOT NULL DEFAULT 1,
    "nextPlace" BIGINT NOT NULL DEFAULT 1,
    "nextSearch" INTEGER NOT NULL DEFAULT 1,
    "tipCommit" TEXT,
    "tipTree" TEXT,
    "tipSeenAt" TIMESTAMPTZ(3),
    "epoch" INTEGER NOT NULL DEFAULT 1,
    "landedSeq" BIGINT NOT NULL DEFAULT 0,
    "concluded" BIGINT NOT NULL DEFAULT 0,
    "landing" JSONB,
    "partialLanding" JSONB,
    "flow" JSONB,
    "startNotedAt" TIMESTAMPTZ(3),
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
    "dryRun" BOOLEAN NOT NULL DEFAULT false,
    "pendingRank" INTEGER NOT NULL,
    "returnedOrder" BIGINT NOT NULL,
    "returnedGroup" BIGINT NOT NULL DEFAULT 0,
    "submittedOrder" BIGINT NOT NULL,
    "batchAtMost" INTEGER,
    "greenRetests" INTEGER NOT NULL DEFAULT 0,
    "testAnew" BOOLEAN NOT NULL DEFAULT false,
    "acquittedAt" TIMESTAMPTZ(3),
    "search" INTEGER,
    "place" BIGINT,
    "placeIndex" INTEGER NOT NULL,
    "urgentInLine" BOOLEAN NOT NULL,
    "submittedAt" TIMESTAMPTZ(3) NOT NULL,
    "pendingSince" TIMESTAMPTZ(3),
    "firstPendingAt" TIMESTAMPTZ(3),
    "notReadySince" TIMESTAMPTZ(3),
    "concludedAt" TIMESTAMPTZ(3),
    "evaluatedMode" TEXT NOT NULL,
    "askAgainAt" TIMESTAMPTZ(3),
    "timesAsked" INTEGER NOT NULL,
    "unreadableConfig" JSONB,
    "waitsForConfig" TEXT,
    "redRebuiltAt" BIGINT,
    "timesLost" INTEGER NOT NULL DEFAULT 0,
    "suspectRun" JSONB,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "takesOff" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "changedWorkflows" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "flow" JSONB,
    "standing" TEXT,

    CONSTRAINT "Entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "EntryNeed" (
    "queueId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "needed" INTEGER NOT NULL,
    "head" TEXT NOT NULL DEFAULT '',
    "base" TEXT,

    CONSTRAINT "EntryNeed_pkey" PRIMARY KEY ("queueId","number","needed","head")
);

-- CreateTable
CREATE TABLE "ForecastCourse" (
    "entryId" UUID NOT NULL,
    "queueId" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "marks" JSONB NOT NULL,
    "promise" JSONB,

    CONSTRAINT "ForecastCourse_pkey" PRIMARY KEY ("entryId")
);

-- CreateTable
CREATE TABLE "ForecastOutcome" (
    "queueId" UUID NOT NULL,
    "situation" TEXT NOT NULL,
    "learned" JSONB NOT NULL,

    CONSTRAINT "ForecastOutcome_pkey" PRIMARY KEY ("queueId","situation")
);

-- CreateTable
CREATE TABLE "ForecastDay" (
    "queueId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "ended" INTEGER NOT NULL,
    "within" INTEGER NOT NULL,
    "errors" JSONB NOT NULL,

    CONSTRAINT "ForecastDay_pkey" PRIMARY KEY ("queueId","day")
);

-- CreateTable
CREATE TABLE "ForecastTurn" (
    "queueId" UUID NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "ForecastTurn_pkey" PRIMARY KEY ("queueId")
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
    "search" INTEGER,
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
    "pins" JSONB NOT NULL DEFAULT '[]',
    "dropped" JSONB NOT NULL DEFAULT '[]',
    "moved" JSONB,
    "ciEnd" JSONB,
    "branch" TEXT,
    "commit" TEXT,
    "tree" TEXT,
    "pushedAt" TIMESTAMPTZ(3),
    "deadline" TIMESTAMPTZ(3),
    "redSince" TIMESTAMPTZ(3),
    "failure" JSONB,
    "conflict" JSONB,
    "flow" JSONB,
    "reused" BOOLEAN NOT NULL DEFAULT false,
    "endedAt" TIMESTAMPTZ(3),
    "endedBecause" TEXT,
    "result" TEXT,
    "resultAt" TIMESTAMPTZ(3),

    CONSTRAINT "TestRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StatusReporter" (
    "queueId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "reporter" TEXT NOT NULL,
    "before" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "StatusReporter_pkey" PRIMARY KEY ("queueId","name")
);

-- CreateTable
CREATE TABLE "WorkflowWarning" (
    "queueId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "answered" TEXT NOT NULL,
    "warnedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "WorkflowWarning_pkey" PRIMARY KEY ("queueId","number","head")
);

-- CreateTable
CREATE TABLE "TestRunMember" (
    "runId" UUID NOT NULL,
    "entryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "attempt" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL,

    CONSTRAINT "TestRunMember_pkey" PRIMARY KEY ("runId","position")
);

-- CreateTable
CREATE TABLE "CulpritSearch" (
    "queueId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "search" JSONB NOT NULL,

    CONSTRAINT "CulpritSearch_pkey" PRIMARY KEY ("queueId","number")
);

-- CreateTable
CREATE TABLE "LandedChange" (
    "queueId" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "entryId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "head" TEXT NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "landing" INTEGER,
    "below" TEXT,
    "commit" TEXT NOT NULL,
    "tree" TEXT NOT NULL,
    "landedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LandedChange_pkey" PRIMARY KEY ("queueId","seq")
);

-- CreateTable
CREATE TABLE "Attestation" (
    "repositoryId" UUID NOT NULL,
    "branch" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "queueId" UUID NOT NULL,
    "landedSeq" BIGINT NOT NULL,
    "head" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "layers" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "landedAt" TIMESTAMPTZ(3) NOT NULL,
    "payload" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "Attestation_pkey" PRIMARY KEY ("repositoryId","branch","number")
);

-- CreateTable
CREATE TABLE "AttestationKey" (
    "id" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),
    "rotation" JSONB,
    "revokedFrom" TIMESTAMPTZ(3),

    CONSTRAINT "AttestationKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "QueueDay" (
    "queueId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "merged" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "runs" INTEGER NOT NULL,
    "reasons" JSONB NOT NULL,
    "waited" JSONB NOT NULL,

    CONSTRAINT "QueueDay_pkey" PRIMARY KEY ("queueId","day")
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
    "requestId" TEXT,
    "traceParent" TEXT,
    "cause" JSONB,

    CONSTRAINT "QueueLog_pkey" PRIMARY KEY ("queueId","seq")
);

-- CreateTable
CREATE TABLE "CopiedQueueLog" (
    "queueId" UUID NOT NULL,
    "nextSeq" BIGINT NOT NULL,

    CONSTRAINT "CopiedQueueLog_pkey" PRIMARY KEY ("queueId")
);

-- CreateTable
CREATE TABLE "TracedQueueLog" (
    "queueId" UUID NOT NULL,
    "nextSeq" BIGINT NOT NULL,
    "leasedBy" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "TracedQueueLog_pkey" PRIMARY KEY ("queueId")
);

-- CreateTable
CREATE TABLE "ExtensionListener" (
    "name" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ExtensionListener_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "ExtensionCursor" (
    "listener" TEXT NOT NULL,
    "queueId" UUID NOT NULL,
    "nextSeq" BIGINT NOT NULL,
    "leasedBy" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "claims" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "notBefore" TIMESTAMPTZ(3) NOT NULL,
    "lastProblem" TEXT,

    CONSTRAINT "ExtensionCursor_pkey" PRIMARY KEY ("listener","queueId")
);

-- CreateTable
CREATE TABLE "CommitStatus" (
    "repositoryId" UUID NOT NULL,
    "sha" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "source" TEXT NOT NULL DEFAULT '',
    "app" TEXT,
    "reporter" TEXT,
    "state" TEXT NOT NULL,
    "hostTime" TIMESTAMPTZ(3) NOT NULL,
    "hostId" TEXT NOT NULL,
    "url" TEXT,
    "description" TEXT,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CommitStatus_pkey" PRIMARY KEY ("repositoryId","sha","kind","name","source")
);

-- CreateTable
CREATE TABLE "UploadFact" (
    "repositoryId" UUID NOT NULL,
    "commit" TEXT NOT NULL,
    "upload" TEXT NOT NULL,
    "flaky" INTEGER NOT NULL,
    "others" INTEGER NOT NULL,
    "tests" TEXT[],
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UploadFact_pkey" PRIMARY KEY ("repositoryId","commit","upload")
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
    "attempts" INTEGER NOT NULL DEFAULT 0,

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
    "version" INTEGER NOT NULL DEFAULT 1,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ImpactedTargets_pkey" PRIMARY KEY ("repositoryId","number","sha")
);

-- CreateTable
CREATE TABLE "TargetsConfiguration" (
    "queueId" UUID NOT NULL,
    "commit" TEXT NOT NULL,
    "key" TEXT,
    "rewrittenAt" TEXT,
    "problem" TEXT,
    "readAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "TargetsConfiguration_pkey" PRIMARY KEY ("queueId")
);

-- CreateTable
CREATE TABLE "ComputedTargets" (
    "queueId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "sha" TEXT NOT NULL,
    "configuration" TEXT NOT NULL,
    "all" BOOLEAN NOT NULL,
    "targetCount" INTEGER NOT NULL,
    "names" TEXT[],
    "hashes" BIGINT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ComputedTargets_pkey" PRIMARY KEY ("queueId","number","sha")
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
    "hasPullRequest" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Candidate_pkey" PRIMARY KEY ("runId")
);

-- CreateTable
CREATE TABLE "OutboxTask" (
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
    "refusal" TEXT,
    "notes" JSONB,
    "settledAt" TIMESTAMPTZ(3),
    "outcome" JSONB,
    "consumedAt" TIMESTAMPTZ(3),

    CONSTRAINT "OutboxTask_pkey" PRIMARY KEY ("id")
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
    "identityId" UUID,
    "repositoryId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "variant" TEXT NOT NULL,
    "filePath" TEXT NOT NULL,
    "parent" TEXT NOT NULL,
    "classname" TEXT NOT NULL,
    "codeowners" TEXT[],
    "firstSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "patternId" UUID,
    "seenAgain" BOOLEAN NOT NULL DEFAULT false,
    "repeated" BOOLEAN NOT NULL DEFAULT false,
    "lastFailedAt" TIMESTAMPTZ(3),
    "status" TEXT NOT NULL,
    "statusReason" TEXT NOT NULL,
    "statusFromPullRequests" BOOLEAN NOT NULL DEFAULT false,
    "outsideTests" BOOLEAN NOT NULL DEFAULT false,
    "statusChangedAt" TIMESTAMPTZ(3) NOT NULL,
    "quarantineSetting" TEXT NOT NULL,
    "quarantined" BOOLEAN NOT NULL,
    "quarantinedAt" TIMESTAMPTZ(3),
    "ticketUrl" TEXT,

    CONSTRAINT "TestCase_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestUpload" (
    "id" BIGSERIAL NOT NULL,
    "repositoryId" UUID NOT NULL,
    "uploadId" TEXT NOT NULL,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "commit" TEXT NOT NULL,
    "branch" TEXT,
    "branchClass" TEXT NOT NULL,
    "prNumber" INTEGER,
    "variant" TEXT NOT NULL,
    "jobUrl" TEXT,
    "job" TEXT NOT NULL DEFAULT '',
    "shard" TEXT NOT NULL DEFAULT '',
    "part" TEXT NOT NULL DEFAULT '',
    "attempt" TEXT NOT NULL DEFAULT '',
    "conditions" TEXT NOT NULL DEFAULT '',
    "testExitCode" INTEGER,
    "testSet" BYTEA,
    "skippedSet" BYTEA,
    "runnerCounts" JSONB NOT NULL DEFAULT '[]',
    "findings" JSONB NOT NULL DEFAULT '{}',
    "passed" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "setAside" INTEGER NOT NULL DEFAULT 0,
    "counted" BOOLEAN NOT NULL,
    "tree" TEXT,
    "line" TEXT NOT NULL DEFAULT '',
    "changes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "sketch" INTEGER[] DEFAULT ARRAY[]::INTEGER[],

    CONSTRAINT "TestUpload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestHealthSettings" (
    "repositoryId" UUID NOT NULL,
    "quarantineEnabled" BOOLEAN NOT NULL,
    "autoQuarantine" BOOLEAN NOT NULL,
    "infrastructureFailures" DOUBLE PRECISION NOT NULL,
    "monitors" JSONB NOT NULL,

    CONSTRAINT "TestHealthSettings_pkey" PRIMARY KEY ("repositoryId")
);

-- CreateTable
CREATE TABLE "TestAlarm" (
    "testCaseId" UUID NOT NULL,
    "monitor" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "raisedAt" TIMESTAMPTZ(3) NOT NULL,
    "lookAgainAt" TIMESTAMPTZ(3) NOT NULL,
    "endsWith" TEXT NOT NULL DEFAULT '',
    "isFromPullRequests" BOOLEAN NOT NULL DEFAULT false,
    "evidence" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "TestAlarm_pkey" PRIMARY KEY ("testCaseId","monitor")
);

-- CreateTable
CREATE TABLE "TestMute" (
    "testCaseId" UUID NOT NULL,
    "monitor" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "mutedAt" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),

    CONSTRAINT "TestMute_pkey" PRIMARY KEY ("testCaseId","monitor")
);

-- CreateTable
CREATE TABLE "TestStatusChange" (
    "id" BIGSERIAL NOT NULL,
    "testCaseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "from" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "evidence" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "TestStatusChange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestMove" (
    "id" BIGSERIAL NOT NULL,
    "repositoryId" UUID NOT NULL,
    "testCaseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT,
    "reason" TEXT NOT NULL,
    "movedIds" UUID[],
    "formerIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "line" TEXT NOT NULL DEFAULT '',
    "before" JSONB NOT NULL,
    "undoneAt" TIMESTAMPTZ(3),

    CONSTRAINT "TestMove_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TestMoveUpload" (
    "moveId" BIGINT NOT NULL,
    "uploadId" BIGINT NOT NULL,
    "hasBoth" BOOLEAN NOT NULL,

    CONSTRAINT "TestMoveUpload_pkey" PRIMARY KEY ("moveId","uploadId")
);

-- CreateTable
CREATE TABLE "TestQuarantineChange" (
    "id" BIGSERIAL NOT NULL,
    "testCaseId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT,
    "setting" TEXT NOT NULL,
    "quarantined" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "TestQuarantineChange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "id" UUID NOT NULL,
    "organizationId" UUID NOT NULL,
    "repositoryId" UUID,
    "branch" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "isPaused" BOOLEAN NOT NULL DEFAULT false,
    "gatherSeconds" INTEGER NOT NULL DEFAULT 60,
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

-- CreateTable
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
    "requestedAt" TIMESTAMPTZ(3),
    "earlierAttempts" INTEGER NOT NULL DEFAULT 0,
    "settledAt" TIMESTAMPTZ(3),
    "lastStatus" INTEGER,
    "lastProblem" TEXT,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "DatabasePlace" (
    "id" INTEGER NOT NULL,
    "place" TEXT NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "DatabasePlace_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Organization_slug_key" ON "Organization"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_hash_key" ON "ApiToken"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_previousHash_key" ON "ApiToken"("previousHash");

-- CreateIndex
CREATE UNIQUE INDEX "ApiToken_organizationId_name_key" ON "ApiToken"("organizationId", "name");

-- CreateIndex
CREATE INDEX "BrowserSession_tokenId_createdAt_idx" ON "BrowserSession"("tokenId", "createdAt");

-- CreateIndex
CREATE INDEX "BrowserSession_expiresAt_idx" ON "BrowserSession"("expiresAt");

-- CreateIndex
CREATE INDEX "SignInLink_tokenId_idx" ON "SignInLink"("tokenId");

-- CreateIndex
CREATE INDEX "SignInLink_expiresAt_idx" ON "SignInLink"("expiresAt");

-- CreateIndex
CREATE INDEX "AuditEvent_organizationId_id_idx" ON "AuditEvent"("organizationId", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_repositoryId_id_idx" ON "AuditEvent"("repositoryId", "id");

-- CreateIndex
CREATE INDEX "AuditEvent_subject_idx" ON "AuditEvent" USING HASH ("subject");

-- CreateIndex
CREATE INDEX "Repository_organizationId_idx" ON "Repository"("organizationId");

-- CreateIndex
CREATE INDEX "Repository_host_hostId_idx" ON "Repository"("host", "hostId");

-- CreateIndex
CREATE UNIQUE INDEX "Repository_host_lookupName_key" ON "Repository"("host", "lookupName");

-- CreateIndex
CREATE INDEX "ServiceDowntime_to_idx" ON "ServiceDowntime"("to");

-- CreateIndex
CREATE INDEX "PullRequest_repositoryId_headBranch_idx" ON "PullRequest"("repositoryId", "headBranch");

-- CreateIndex
CREATE INDEX "PullRequest_commits_idx" ON "PullRequest" USING GIN ("commits");

-- CreateIndex
CREATE UNIQUE INDEX "PullRequest_repositoryId_number_key" ON "PullRequest"("repositoryId", "number");

-- CreateIndex
CREATE INDEX "PullRequestHead_since_idx" ON "PullRequestHead"("since");

-- CreateIndex
CREATE INDEX "Queue_wakeAt_idx" ON "Queue"("wakeAt");

-- CreateIndex
CREATE UNIQUE INDEX "Queue_repositoryId_liveBranch_key" ON "Queue"("repositoryId", "liveBranch");

-- CreateIndex
CREATE INDEX "Entry_queueId_number_attempt_idx" ON "Entry"("queueId", "number", "attempt");

-- CreateIndex
CREATE INDEX "Entry_queueId_state_pendingRank_returnedOrder_priority_subm_idx" ON "Entry"("queueId", "state", "pendingRank", "returnedOrder", "priority", "submittedOrder");

-- CreateIndex
CREATE UNIQUE INDEX "Entry_pullRequestId_queueId_key" ON "Entry"("pullRequestId", "queueId");

-- CreateIndex
CREATE INDEX "EntryNeed_queueId_needed_idx" ON "EntryNeed"("queueId", "needed");

-- CreateIndex
CREATE INDEX "ForecastCourse_queueId_idx" ON "ForecastCourse"("queueId");

-- CreateIndex
CREATE INDEX "TestRun_commit_idx" ON "TestRun"("commit");

-- CreateIndex
CREATE INDEX "TestRun_tree_resultAt_idx" ON "TestRun"("tree", "resultAt");

-- CreateIndex
CREATE UNIQUE INDEX "TestRun_queueId_number_key" ON "TestRun"("queueId", "number");

-- CreateIndex
CREATE INDEX "WorkflowWarning_warnedAt_idx" ON "WorkflowWarning"("warnedAt");

-- CreateIndex
CREATE INDEX "TestRunMember_entryId_idx" ON "TestRunMember"("entryId");

-- CreateIndex
CREATE INDEX "LandedChange_entryId_idx" ON "LandedChange"("entryId");

-- CreateIndex
CREATE INDEX "LandedChange_queueId_landedAt_idx" ON "LandedChange"("queueId", "landedAt");

-- CreateIndex
CREATE INDEX "LandedChange_commit_idx" ON "LandedChange"("commit");

-- CreateIndex
CREATE INDEX "Attestation_repositoryId_commit_idx" ON "Attestation"("repositoryId", "commit");

-- CreateIndex
CREATE INDEX "Attestation_repositoryId_head_idx" ON "Attestation"("repositoryId", "head");

-- CreateIndex
CREATE INDEX "Attestation_layers_idx" ON "Attestation" USING GIN ("layers");

-- CreateIndex
CREATE INDEX "Attestation_landedAt_idx" ON "Attestation"("landedAt");

-- CreateIndex
CREATE UNIQUE INDEX "Attestation_queueId_landedSeq_key" ON "Attestation"("queueId", "landedSeq");

-- CreateIndex
CREATE INDEX "QueueLog_entryId_seq_idx" ON "QueueLog"("entryId", "seq");

-- CreateIndex
CREATE INDEX "QueueLog_queueId_at_idx" ON "QueueLog"("queueId", "at");

-- CreateIndex
CREATE INDEX "CommitStatus_receivedAt_idx" ON "CommitStatus"("receivedAt");

-- CreateIndex
CREATE INDEX "UploadFact_receivedAt_idx" ON "UploadFact"("receivedAt");

-- CreateIndex
CREATE INDEX "CheckRun_state_createdAt_idx" ON "CheckRun"("state", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "CheckRun_testRunId_name_key" ON "CheckRun"("testRunId", "name");

-- CreateIndex
CREATE INDEX "ImpactedTargets_updatedAt_idx" ON "ImpactedTargets"("updatedAt");

-- CreateIndex
CREATE INDEX "ComputedTargets_updatedAt_idx" ON "ComputedTargets"("updatedAt");

-- CreateIndex
CREATE INDEX "Candidate_repositoryId_tree_idx" ON "Candidate"("repositoryId", "tree");

-- CreateIndex
CREATE UNIQUE INDEX "Candidate_repositoryId_commit_key" ON "Candidate"("repositoryId", "commit");

-- CreateIndex
CREATE UNIQUE INDEX "OutboxTask_key_key" ON "OutboxTask"("key");

-- CreateIndex
CREATE UNIQUE INDEX "OutboxTask_topic_key" ON "OutboxTask"("topic");

-- CreateIndex
CREATE INDEX "InboxDelivery_processedAt_notBefore_idx" ON "InboxDelivery"("processedAt", "notBefore");

-- CreateIndex
CREATE UNIQUE INDEX "InboxDelivery_host_deliveryId_key" ON "InboxDelivery"("host", "deliveryId");

-- CreateIndex
CREATE UNIQUE INDEX "TestCase_identityId_key" ON "TestCase"("identityId");

-- CreateIndex
CREATE INDEX "TestCase_repositoryId_status_id_idx" ON "TestCase"("repositoryId", "status", "id");

-- CreateIndex
CREATE INDEX "TestCase_repositoryId_quarantined_id_idx" ON "TestCase"("repositoryId", "quarantined", "id");

-- CreateIndex
CREATE INDEX "TestCase_repositoryId_lastFailedAt_idx" ON "TestCase"("repositoryId", "lastFailedAt");

-- CreateIndex
CREATE INDEX "TestCase_repositoryId_lastSeenAt_idx" ON "TestCase"("repositoryId", "lastSeenAt");

-- CreateIndex
CREATE INDEX "TestCase_patternId_idx" ON "TestCase"("patternId");

-- CreateIndex
CREATE INDEX "TestUpload_repositoryId_commit_idx" ON "TestUpload"("repositoryId", "commit");

-- CreateIndex
CREATE INDEX "TestUpload_repositoryId_tree_idx" ON "TestUpload"("repositoryId", "tree");

-- CreateIndex
CREATE INDEX "TestUpload_repositoryId_job_id_idx" ON "TestUpload"("repositoryId", "job", "id");

-- CreateIndex
CREATE INDEX "TestUpload_receivedAt_idx" ON "TestUpload"("receivedAt");

-- CreateIndex
CREATE UNIQUE INDEX "TestUpload_repositoryId_uploadId_key" ON "TestUpload"("repositoryId", "uploadId");

-- CreateIndex
CREATE INDEX "TestAlarm_lookAgainAt_idx" ON "TestAlarm"("lookAgainAt");

-- CreateIndex
CREATE INDEX "TestMute_until_idx" ON "TestMute"("until");

-- CreateIndex
CREATE INDEX "TestStatusChange_testCaseId_id_idx" ON "TestStatusChange"("testCaseId", "id");

-- CreateIndex
CREATE INDEX "TestMove_repositoryId_undoneAt_idx" ON "TestMove"("repositoryId", "undoneAt");

-- CreateIndex
CREATE INDEX "TestMove_testCaseId_idx" ON "TestMove"("testCaseId");

-- CreateIndex
CREATE INDEX "TestMoveUpload_uploadId_idx" ON "TestMoveUpload"("uploadId");

-- CreateIndex
CREATE INDEX "TestQuarantineChange_testCaseId_id_idx" ON "TestQuarantineChange"("testCaseId", "id");

-- CreateIndex
CREATE INDEX "Webhook_repositoryId_idx" ON "Webhook"("repositoryId");

-- CreateIndex
CREATE UNIQUE INDEX "Webhook_organizationId_name_key" ON "Webhook"("organizationId", "name");

-- CreateIndex
CREATE INDEX "WebhookDelivery_state_notBefore_idx" ON "WebhookDelivery"("state", "notBefore");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_subject_state_id_idx" ON "WebhookDelivery"("webhookId", "subject", "state", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_id_idx" ON "WebhookDelivery"("webhookId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_settledAt_idx" ON "WebhookDelivery"("settledAt");

-- AddForeignKey
ALTER TABLE "ApiToken" ADD CONSTRAINT "ApiToken_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BrowserSession" ADD CONSTRAINT "BrowserSession_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ApiToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SignInLink" ADD CONSTRAINT "SignInLink_tokenId_fkey" FOREIGN KEY ("tokenId") REFERENCES "ApiToken"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Repository" ADD CONSTRAINT "Repository_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PullRequest" ADD CONSTRAINT "PullRequest_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PullRequestHead" ADD CONSTRAINT "PullRequestHead_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Queue" ADD CONSTRAINT "Queue_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Entry" ADD CONSTRAINT "Entry_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Entry" ADD CONSTRAINT "Entry_pullRequestId_fkey" FOREIGN KEY ("pullRequestId") REFERENCES "PullRequest"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ForecastCourse" ADD CONSTRAINT "ForecastCourse_entryId_fkey" FOREIGN KEY ("entryId") REFERENCES "Entry"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestRun" ADD CONSTRAINT "TestRun_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "StatusReporter" ADD CONSTRAINT "StatusReporter_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WorkflowWarning" ADD CONSTRAINT "WorkflowWarning_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestRunMember" ADD CONSTRAINT "TestRunMember_runId_fkey" FOREIGN KEY ("runId") REFERENCES "TestRun"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CulpritSearch" ADD CONSTRAINT "CulpritSearch_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "LandedChange" ADD CONSTRAINT "LandedChange_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attestation" ADD CONSTRAINT "Attestation_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "QueueDay" ADD CONSTRAINT "QueueDay_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "QueueLog" ADD CONSTRAINT "QueueLog_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CopiedQueueLog" ADD CONSTRAINT "CopiedQueueLog_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TracedQueueLog" ADD CONSTRAINT "TracedQueueLog_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ExtensionCursor" ADD CONSTRAINT "ExtensionCursor_listener_fkey" FOREIGN KEY ("listener") REFERENCES "ExtensionListener"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ExtensionCursor" ADD CONSTRAINT "ExtensionCursor_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CommitStatus" ADD CONSTRAINT "CommitStatus_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UploadFact" ADD CONSTRAINT "UploadFact_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CheckRun" ADD CONSTRAINT "CheckRun_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ImpactedTargets" ADD CONSTRAINT "ImpactedTargets_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TargetsConfiguration" ADD CONSTRAINT "TargetsConfiguration_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ComputedTargets" ADD CONSTRAINT "ComputedTargets_queueId_fkey" FOREIGN KEY ("queueId") REFERENCES "Queue"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Candidate" ADD CONSTRAINT "Candidate_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestCase" ADD CONSTRAINT "TestCase_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestUpload" ADD CONSTRAINT "TestUpload_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestHealthSettings" ADD CONSTRAINT "TestHealthSettings_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestAlarm" ADD CONSTRAINT "TestAlarm_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestMute" ADD CONSTRAINT "TestMute_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestStatusChange" ADD CONSTRAINT "TestStatusChange_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestMove" ADD CONSTRAINT "TestMove_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestMoveUpload" ADD CONSTRAINT "TestMoveUpload_moveId_fkey" FOREIGN KEY ("moveId") REFERENCES "TestMove"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TestQuarantineChange" ADD CONSTRAINT "TestQuarantineChange_testCaseId_fkey" FOREIGN KEY ("testCaseId") REFERENCES "TestCase"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_repositoryId_fkey" FOREIGN KEY ("repositoryId") REFERENCES "Repository"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The rest cannot be said in schema.prisma.

CREATE SCHEMA test_results;

CREATE TABLE test_results.day_total (
    test_case_id uuid NOT NULL,
    day date NOT NULL,
    branch_class smallint NOT NULL,
    passed integer NOT NULL,
    failed integer NOT NULL,
    skipped integer NOT NULL
);

CREATE TABLE test_results.failure_group (
    repository_id uuid NOT NULL,
    day date NOT NULL,
    test_case_id uuid NOT NULL,
    summary_id bigint NOT NULL,
    summary text NOT NULL,
    failures integer NOT NULL,
    first_at timestamp(3) with time zone NOT NULL,
    last_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE test_results.failure_message (
    test_case_id uuid NOT NULL,
    summary_id bigint NOT NULL,
    upload_id bigint NOT NULL,
    failed_at timestamp(3) with time zone NOT NULL,
    summary text NOT NULL,
    message text NOT NULL,
    stack text NOT NULL
);

CREATE TABLE test_results.judgement_due (
    test_case_id uuid NOT NULL,
    repository_id uuid NOT NULL,
    since timestamp(3) with time zone NOT NULL
);

CREATE TABLE test_results.refused_upload (
    repository_id uuid NOT NULL,
    minute timestamp(3) with time zone NOT NULL,
    uploads integer NOT NULL
);

CREATE TABLE test_results.result (
    test_case_id uuid NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    upload_id bigint NOT NULL,
    summary_id bigint,
    duration_ms integer,
    pr_number integer,
    outcome smallint NOT NULL,
    branch_class smallint NOT NULL,
    counted boolean NOT NULL
) PARTITION BY RANGE (occurred_at);

CREATE TABLE test_results.summed_day (
    day date NOT NULL,
    summed_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE test_results.test_set (
    repository_id uuid NOT NULL,
    digest bytea NOT NULL,
    tests bytea NOT NULL,
    stored_at timestamp with time zone NOT NULL
);

CREATE TABLE test_results.upload_failure (
    upload_id bigint NOT NULL,
    test_case_id uuid NOT NULL
);

ALTER TABLE test_results.test_set ALTER COLUMN tests SET STORAGE EXTERNAL;

CREATE FUNCTION refuse_change_of_audit_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION 'The audit log is append-only: % is refused.', TG_OP USING ERRCODE = 'insufficient_privilege';
END $function$;

CREATE FUNCTION test_results.ensure_day(day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    partition TEXT := test_results.partition_of(day);
BEGIN
    IF to_regclass('test_results.' || partition) IS NOT NULL THEN RETURN; END IF;
    LOCK TABLE test_results.result IN SHARE UPDATE EXCLUSIVE MODE;
    IF to_regclass('test_results.' || partition) IS NOT NULL THEN RETURN; END IF;
    EXECUTE format('CREATE TABLE test_results.%I (LIKE test_results.result INCLUDING ALL)', partition);
    EXECUTE format('ALTER TABLE test_results.result ATTACH PARTITION test_results.%I FOR VALUES FROM (%L) TO (%L)',
        partition, to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00', to_char(day + 1, 'YYYY-MM-DD') || ' 00:00:00+00');
END $function$;

CREATE FUNCTION test_results.partition_of(day date)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT 'result_' || to_char(day, 'YYYYMMDD') $function$;

ALTER TABLE test_results.day_total ADD CONSTRAINT day_total_pkey PRIMARY KEY (test_case_id, day, branch_class) INCLUDE (passed, failed, skipped);

ALTER TABLE test_results.failure_group ADD CONSTRAINT failure_group_pkey PRIMARY KEY (repository_id, day, test_case_id, summary_id);

ALTER TABLE test_results.failure_message ADD CONSTRAINT failure_message_pkey PRIMARY KEY (test_case_id, summary_id);

ALTER TABLE test_results.judgement_due ADD CONSTRAINT judgement_due_pkey PRIMARY KEY (test_case_id);

ALTER TABLE test_results.refused_upload ADD CONSTRAINT refused_upload_pkey PRIMARY KEY (repository_id, minute);

ALTER TABLE test_results.summed_day ADD CONSTRAINT summed_day_pkey PRIMARY KEY (day);

ALTER TABLE test_results.test_set ADD CONSTRAINT test_set_pkey PRIMARY KEY (repository_id, digest);

ALTER TABLE test_results.upload_failure ADD CONSTRAINT upload_failure_pkey PRIMARY KEY (upload_id, test_case_id);

CREATE INDEX "Entry_asked_idx" ON "Entry" USING btree ("queueId", "askAgainAt") WHERE ((state = 'pending'::text) AND ("askAgainAt" IS NOT NULL));

CREATE INDEX "Entry_concluded_idx" ON "Entry" USING btree ("queueId", "concludedAt") WHERE ("concludedAt" IS NOT NULL);

CREATE INDEX "Entry_evaluated_idx" ON "Entry" USING btree ("queueId", "evaluatedMode", state) WHERE (state = ANY (ARRAY['not_ready'::text, 'pending'::text]));

CREATE INDEX "Entry_head_idx" ON "Entry" USING btree ("queueId", head, number) WHERE (state <> ALL (ARRAY['merged'::text, 'failed'::text, 'cancelled'::text]));

CREATE INDEX "Entry_held_idx" ON "Entry" USING btree ("queueId", "waitsForConfig") WHERE ("waitsForConfig" IS NOT NULL);

CREATE INDEX "Entry_notReady_idx" ON "Entry" USING btree ("queueId", "notReadySince") WHERE (state = 'not_ready'::text);

CREATE INDEX "Entry_placed_idx" ON "Entry" USING btree ("queueId", place) WHERE (place IS NOT NULL);

CREATE INDEX "Entry_searched_idx" ON "Entry" USING btree ("queueId", search) WHERE (search IS NOT NULL);

CREATE INDEX "Entry_standing_idx" ON "Entry" USING btree ("queueId", standing) WHERE (standing IS NOT NULL);

CREATE INDEX "Entry_waits_for_hopes_idx" ON "Entry" USING btree ("queueId", number) WHERE ((state = 'pending'::text) AND (standing IS NULL) AND (COALESCE(jsonb_array_length((flow -> 'until'::text)), 0) > 0));

CREATE INDEX "OutboxTask_consumed_idx" ON "OutboxTask" USING btree ("consumedAt") WHERE ("consumedAt" IS NOT NULL);

CREATE INDEX "OutboxTask_dead_idx" ON "OutboxTask" USING btree (id) WHERE (state = 'dead'::text);

CREATE INDEX "OutboxTask_dueShow_idx" ON "OutboxTask" USING btree ("notBefore", id) WHERE ((state = 'waiting'::text) AND (type = ANY (ARRAY['updatePullRequestView'::text, 'answerComment'::text, 'answerTrigger'::text])));

CREATE INDEX "OutboxTask_dueWork_idx" ON "OutboxTask" USING btree ("notBefore", id) WHERE ((state = 'waiting'::text) AND (type <> ALL (ARRAY['updatePullRequestView'::text, 'answerComment'::text, 'answerTrigger'::text])));

CREATE INDEX "OutboxTask_leased_idx" ON "OutboxTask" USING btree ("leaseUntil", id) WHERE (state = 'leased'::text);

CREATE INDEX "OutboxTask_outcome_idx" ON "OutboxTask" USING btree ("queueId", "settledAt", id) WHERE (("consumedAt" IS NULL) AND ("settledAt" IS NOT NULL));

CREATE INDEX "OutboxTask_unanswered_idx" ON "OutboxTask" USING btree ("queueId") WHERE ("firstFailedAt" IS NOT NULL);

CREATE INDEX "OutboxTask_unsettled_idx" ON "OutboxTask" USING btree (subject, id) WHERE (state = ANY (ARRAY['waiting'::text, 'leased'::text]));

CREATE INDEX "PullRequest_unmet_idx" ON "PullRequest" USING btree ("repositoryId") WHERE (unmet <> '[]'::jsonb);

CREATE INDEX "QueueLog_endedTests_idx" ON "QueueLog" USING btree ("queueId", at, seq) WHERE ("fromState" = 'testing'::text);

CREATE INDEX "QueueLog_start_idx" ON "QueueLog" USING btree ("queueId", seq) WHERE ((cause -> 'start'::text) IS NOT NULL);

CREATE INDEX "TestRun_live_idx" ON "TestRun" USING btree ("queueId", number) WHERE live;

CREATE INDEX "TestRun_red_idx" ON "TestRun" USING btree ("queueId", "resultAt") WHERE (result = 'failed'::text);

CREATE INDEX "TestUpload_leftOut_idx" ON "TestUpload" USING btree ("repositoryId", "receivedAt") WHERE (NOT counted);

CREATE INDEX day_total_by_day ON test_results.day_total USING brin (day) WITH (pages_per_range='32');

CREATE INDEX failure_group_by_test ON test_results.failure_group USING btree (test_case_id, day);

CREATE INDEX result_by_test ON test_results.result USING btree (test_case_id, occurred_at) INCLUDE (outcome, counted);

CREATE INDEX result_failed ON test_results.result USING btree (test_case_id, occurred_at) INCLUDE (pr_number, summary_id, upload_id) WHERE ((outcome = 1) AND counted);

CREATE INDEX result_on_lines ON test_results.result USING btree (test_case_id, branch_class, occurred_at) INCLUDE (outcome, upload_id) WHERE ((branch_class <> 1) AND (outcome <> 2));

CREATE TRIGGER audit_event_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON "AuditEvent" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_event();

COMMENT ON COLUMN test_results.result.branch_class IS '0 queue, 1 pull request, 2 stable';

COMMENT ON COLUMN test_results.result.counted IS 'Copied from the upload.';

COMMENT ON COLUMN test_results.result.outcome IS '0 passed, 1 failed, 2 skipped';

COMMENT ON COLUMN test_results.result.summary_id IS 'Identifies the failure group (failure_group.summary_id). Null unless the test failed.';

COMMENT ON COLUMN test_results.test_set.tests IS 'Stored without compression: hashes do not compress.';

COMMENT ON CONSTRAINT day_total_pkey on test_results.day_total IS 'Includes the sums: lists of tests read them from the index alone, because the rows of a test are far apart.';

COMMENT ON FUNCTION test_results.ensure_day(pg_catalog.date) IS 'Makes the partition of a day. Attaching a partition does not block readers and writers of other days; creating it in place would.';

COMMENT ON INDEX "Entry_asked_idx" IS 'Partial, so that its size depends on pending pull requests and not on concluded ones.';

COMMENT ON INDEX "Entry_concluded_idx" IS 'For pull requests that concluded recently, and for deletion by age.';

COMMENT ON INDEX "Entry_evaluated_idx" IS 'Open pull requests by the mode in which their readiness was last evaluated.';

COMMENT ON INDEX "Entry_head_idx" IS 'Open pull requests by head commit, sorted by number as the query returns them.';

COMMENT ON INDEX "Entry_held_idx" IS 'Pull requests that wait for a readable configuration file.';

COMMENT ON INDEX "Entry_notReady_idx" IS 'Pull requests that are not ready, by time, for the time-out.';

COMMENT ON INDEX "Entry_placed_idx" IS 'Pull requests with a place in the queue.';

COMMENT ON INDEX "Entry_searched_idx" IS 'Pull requests under bisection.';

COMMENT ON INDEX "Entry_standing_idx" IS 'Pull requests that flow scheduling tests or has tested. Empty for sequential queues, which pay nothing for it.';

COMMENT ON INDEX "Entry_waits_for_hopes_idx" IS 'Flow scheduling: pending pull requests that wait for runs in progress, sorted by number.';

COMMENT ON INDEX "OutboxTask_consumed_idx" IS 'For deletion by age.';

COMMENT ON INDEX "OutboxTask_dead_idx" IS 'Tasks that failed for good.';

COMMENT ON INDEX "OutboxTask_dueShow_idx" IS 'Due tasks that show something to people, in the order in which they are claimed. Holds no settled task.';

COMMENT ON INDEX "OutboxTask_dueWork_idx" IS 'All other due tasks, in the order in which they are claimed. Holds no settled task.';

COMMENT ON INDEX "OutboxTask_leased_idx" IS 'Leased tasks by the end of their lease.';

COMMENT ON INDEX "OutboxTask_outcome_idx" IS 'Settled tasks whose outcome the queue has not read yet.';

COMMENT ON INDEX "OutboxTask_unanswered_idx" IS 'Tasks that have failed at least once.';

COMMENT ON INDEX "OutboxTask_unsettled_idx" IS 'Unsettled tasks by subject.';

COMMENT ON INDEX "PullRequest_unmet_idx" IS 'Pull requests that wait for a status. Each reported status reads this index, which is usually empty.';

COMMENT ON INDEX "QueueLog_endedTests_idx" IS 'For listMergeQueueTestingResults. Few log lines end a test, so the index is small.';

COMMENT ON INDEX "QueueLog_start_idx" IS 'Log lines that note the whole state of the queue. A history is read from the last of them.';

COMMENT ON INDEX "TestRun_live_idx" IS 'Test runs in progress.';

COMMENT ON INDEX "TestRun_red_idx" IS 'Failed test runs, from which the cost of flaky tests is read. They are few.';

COMMENT ON INDEX "TestUpload_leftOut_idx" IS 'Uploads that are left out of judgement. Lists of tests mark their failures.';

COMMENT ON INDEX test_results.day_total_by_day IS 'For deletion by age. The sums of a day are written together, so a BRIN index is enough.';

COMMENT ON INDEX test_results.result_on_lines IS 'For monitors, which read the latest results of a test on stable and testing branches in order.';

COMMENT ON SCHEMA test_results IS 'Test results, which arrive by the million. Prisma does not manage this schema. src/test-health/README.md says who writes and reads each table.';

COMMENT ON TABLE test_results.day_total IS 'Sums per test, day and branch class, made when the day is over. Only counted results.';

COMMENT ON TABLE test_results.failure_group IS 'Failures of one test on one day with the same normalised message. Only counted results.';

COMMENT ON TABLE test_results.failure_message IS 'Full message of the last failure in a failure group. Only for the latest groups of a test.';

COMMENT ON TABLE test_results.judgement_due IS 'Tests with new results, which the monitors still have to judge.';

COMMENT ON TABLE test_results.refused_upload IS 'Refused uploads per repository and minute, for metrics.';

COMMENT ON TABLE test_results.result IS 'One row per test result, in one partition per day in UTC. No primary key: no row refers to a result.';

COMMENT ON TABLE test_results.summed_day IS 'Days whose sums are in day_total. Results that arrive later are added to day_total at once.';

COMMENT ON TABLE test_results.test_set IS 'Sets of tests that uploads hold, see src/test-health/rules/test-set.ts. Runs of a job usually have the same tests, so they share a row.';

COMMENT ON TABLE test_results.upload_failure IS 'Failed tests of each upload.';

COMMENT ON TRIGGER audit_event_is_append_only on "AuditEvent" IS 'The audit log is append-only.';
