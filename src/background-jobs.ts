/**
 * Every background job of the service, in the order in which the effects of a webhook pass through the jobs. A spec
 * compares the list with the methods marked with `@BackgroundJob`.
 */
export const BACKGROUND_JOBS = [
  { of: 'Inbox.wakeWorkers', does: 'turns stored host events into events of queues' },
  { of: 'DatabaseTime.follow', does: 'asks the database for the time' },
  { of: 'ServiceUptime.beat', does: 'records that the service runs, and when it did not' },
  { of: 'ServiceProcesses.beat', does: 'records which process runs, with its version and settings' },
  { of: 'HostPoller.pollDue', does: 'asks hosts for changes that no webhook reported' },
  { of: 'MergeabilityPoller.askAgain', does: 'asks again whether waiting pull requests can be merged' },
  { of: 'QueueScheduler.wakeWorkers', does: 'lets queues decide on outcomes of tasks and on time-outs' },
  { of: 'OutboxWorker.wakeWorkers', does: 'carries out tasks at the hosts' },
  {
    of: 'AdmissionGuard.beginWaiting',
    does: 'lets new work begin once what was taken in no longer waits for the service',
  },
  { of: 'ListenerWorker.wakeWorkers', does: 'tells the listeners of extensions what happened in queues' },
  { of: 'WebhookWorker.wakeWorkers', does: 'tells webhooks and chats what happened' },
  { of: 'CheckRunner.wakeWorkers', does: 'runs checks on plain git hosts, and renews its leases' },
  { of: 'CloneUpkeep.repackAll', does: 'repacks clones that hold many loose objects' },
  { of: 'EvaluationTicker.drain', does: 'evaluates tests whose status may change by time alone' },
  { of: 'TestMover.run', does: 'joins tests that moved to another file, and parts them where that was a mistake' },
  { of: 'DailyRollup.run', does: 'sums the test results of days that are over, and deletes old ones' },
  { of: 'AuditLogWriter.copyToLog', does: 'copies the audit log into the log of the service' },
  { of: 'PullRequestLogWriter.copyToLog', does: 'writes what happens to pull requests into the log of the service' },
  { of: 'TraceWriter.write', does: 'tells a collector of traces what happened to pull requests, where one is named' },
  { of: 'ForecastKeeper.follow', does: 'learns how long pull requests take in each queue, for forecasts' },
  { of: 'AttestationKeeper.sign', does: 'signs a statement about each merge' },
  { of: 'Retention.deleteExpired', does: 'deletes old rows of the log, the outbox, the inbox and statuses' },
] as const;
