// The public surface for other teams. Code that this file does not export may change without notice.
export * from './domain/code-host.port';
export { type CodeHostFactory, CodeHostRegistry } from './code-hosts/code-host.registry';
export { CodeHostAdapter, type HostKind } from './code-hosts/host-kinds';
export { createMergeQueue, type MergeQueueOptions } from './create-merge-queue';
export { runMergeQueue, type RunOptions } from './run-merge-queue';
export { Extension, type ExtensionOptions } from './extensions/extension';
export { MergeQueue, type OnBehalfOf } from './extensions/merge-queue';
export { OnQueueChange } from './extensions/on-queue-change';
export type {
  EntryMovedEvent,
  QueueEvent,
  QueueEventOf,
  QueueEventType,
  QueueStateChangedEvent,
  TestRunEndedEvent,
  TestRunStartedEvent,
} from './extensions/queue-event';
export { RequireCapability } from './platform/auth/access.decorators';
export { CurrentCaller } from './platform/auth/current-caller';
export type { Caller } from './platform/requests/caller';
export type { Capability } from './platform/requests/roles';
export { Clock } from './platform/clock/clock';
export { Config, ConfigError, type HostConfig, type HostEntry } from './platform/config/config';
export { readExtensionSettings, setting } from './platform/config/extension-settings';
export { readConfig } from './platform/config/read-config';
export { PrismaService, type Tx } from './platform/database/prisma.service';
export { DomainError, type ErrorDetail } from './platform/errors/domain-error';
export {
  type CustomErrorCode,
  defineErrorCode,
  type ErrorCode,
  type RefusalStatus,
} from './platform/errors/error-codes';
export { RejectUnknownFields } from './platform/errors/reject-unknown-fields';
export { HealthProbes, type Probe, type ProbeResult } from './platform/health/health-probes';
export { processMetrics } from './platform/metrics/process-counter';
export { OwnBody } from './platform/http/own-body';
export { WebhookEndpoint } from './platform/openapi/webhook-endpoint';
export { BackgroundJob, type BackgroundJobOptions } from './platform/lifecycle/background-job';
export { Lifecycle } from './platform/lifecycle/lifecycle';
export { Endpoint, type EndpointOptions } from './platform/openapi/endpoint';
export type {
  GetSubmittedPullRequestRequest,
  SubmitPullRequestRequest,
} from './modules/pull-requests/pull-request-requests.dto';
export { SubmittedPullRequest } from './modules/pull-requests/submitted-pull-request.dto';
export { QueueWithPullRequests } from './modules/queues/queue-record.dto';
export { QueuedPullRequestReference, QueueReference } from './modules/shared/queue-reference.dto';
export { attributes, type Content, type Hole, html, type Html, type HtmlAttributes, prose } from './ui/html';
export { countText, facts, numberText, percentText } from './ui/parts/basics';
export { isWebAddress, outsideLink, pullRequestPath, queuePath } from './ui/parts/links';
export { type StateName, stateMark } from './ui/parts/states';
export { ago, dayOfMonth, moment, roughly } from './ui/parts/times';
export { type QueuePage, UiPage, type UiPageOptions, type UiPageVisit } from './ui/team-pages/ui-page';
