/**
 * Everything that the service does by itself, in the way of a webhook. A spec compares the list with the methods that are
 * marked with `@BackgroundJob`.
 */
export const BACKGROUND_JOBS = [
  { of: 'Inbox.wakeWorkers', does: 'turns stored host events into events of queues' },
  { of: 'HostPoller.pollDue', does: 'asks hosts for what no webhook said' },
  { of: 'MergeabilityPoller.askAgain', does: 'asks again whether waiting pull requests can be merged' },
  { of: 'QueueTicker.wakeWorkers', does: 'decides what is due in the queues: results of tasks, and time' },
  { of: 'OutboxWorker.wakeWorkers', does: 'carries out tasks at the hosts' },
  { of: 'CheckRunner.wakeWorkers', does: 'runs checks on plain git hosts, and renews its leases' },
  { of: 'CloneUpkeep.repackAll', does: 'repacks clones that hold many loose objects' },
  { of: 'EvaluationTicker.drain', does: 'evaluates the tests whose status time alone may change' },
  { of: 'DailyRollup.run', does: 'sums the test results of days that are over, and deletes old ones' },
  { of: 'Retention.deleteExpired', does: 'deletes old rows of the log, the outbox, the inbox and statuses' },
] as const;
