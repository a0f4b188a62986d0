/**
 * Every background job of the service, in the order in which the effects of a webhook pass through the jobs. A spec
 * compares the list with the methods marked with `@BackgroundJob`.
 */
export const BACKGROUND_JOBS = [
  { of: 'Inbox.wakeWorkers', does: 'turns stored host events into events of queues' },
  { of: 'DatabaseTime.follow', does: 'asks the database for the time' },
  { of: 'ServiceUptime.beat', does: 'records when the service runs and when it is down' },
  { of: 'ServiceProcesses.beat', does: 'records which process runs, with its version and settings' },
  { of: 'HostPoller.pollDue', does: 'asks hosts for changes that no webhook reported' },
  { of: 'MergeabilityPoller.askAgain', does: 'asks again whether waiting pull requests can be merged' },
  { of: 'QueueScheduler.wakeWorkers', does: 'lets queues decide on outcomes of tasks and on time-outs' },
  { of: 'OutboxWorker.wakeWorkers', does: 'carries out tasks at the hosts' },
  {
    of: 'AdmissionGuard.beginWaiting',
    does: 'starts new work when the service has caught up with its backlog',
  },
  { of: 'ListenerWorker.wakeWorkers', does: 'sends events of queues to the listeners of extensions' },
  { of: 'WebhookWorker.wakeWorkers', does: 'sends events to webhooks and chats' },
  { of: 'CheckRunner.wakeWorkers', does: 'runs checks on plain git hosts, and renews its leases' },
  { of: 'CloneUpkeep.repackAll', does: 'repacks clones that hold many loose objects' },
  { of: 'EvaluationTicker.drain', does: 'evaluates tests whose status may change as time passes' },
  { of: 'TestMover.run', does: 'joins tests that moved to another file, and undoes mistaken moves' },
  { of: 'DailyRollup.run', does: 'sums the test results of past days, and deletes old results' },
  { of: 'AuditLogWriter.copyToLog', does: 'copies the audit log into the log of the service' },
  { of: 'PullRequestLogWriter.copyToLog', does: 'writes events of pull requests into the log of the service' },
  { of: 'TraceWriter.write', does: 'sends traces of pull requests to a collector, if one is configured' },
  { of: 'ForecastKeeper.follow', does: 'learns how long pull requests take in each queue, for forecasts' },
  { of: 'AttestationKeeper.sign', does: 'signs a statement about each merge' },
  { of: 'Retention.deleteExpired', does: 'deletes old rows of the log, the outbox, the inbox and statuses' },
] as const;
