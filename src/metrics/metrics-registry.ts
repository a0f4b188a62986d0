import { Gauge, Histogram, Registry } from 'prom-client';
import { CONCLUSIONS, type DurationRow, type MovedRow, type NowRow, QUEUE_TYPES } from './queue-counts';

const BUCKETS = [60, 300, 600, 900, 1800, 3600, 5400, 7200];
const LABELS = ['repo', 'repo_host', 'branch', 'queue_type'] as const;

export interface MeasuredQueue {
  readonly id: string;
  readonly repo: string;
  readonly host: string;
  readonly branch: string;
}

interface Measurements {
  readonly now: readonly NowRow[];
  readonly moves: readonly MovedRow[];
  readonly waits: readonly DurationRow[];
  readonly tests: readonly DurationRow[];
  readonly stays: readonly DurationRow[];
}

/** The metrics of these queues in a new registry. Every series exists, with 0 where nothing was counted. */
export function registryOf(queues: readonly MeasuredQueue[], measured: Measurements): Registry {
  const registry = new Registry();
  const byId = new Map(queues.map((queue) => [queue.id, queue]));
  const labels = (row: { queueId: string; queueType: string }) => labelsOf(byId.get(row.queueId)!, row.queueType);
  const gauge = (name: string, help: string, more: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: [...LABELS, ...more], registers: [registry] });
  const histogram = (name: string, help: string, rows: readonly DurationRow[]) => {
    const series = new Histogram({ name, help, labelNames: [...LABELS], buckets: BUCKETS, registers: [registry] });
    for (const all of everySeries(queues)) series.zero(all);
    for (const row of rows) series.observe(labels(row), row.seconds);
  };

  const depth = gauge('mq_depth_current', 'Pull requests in the queue, without those that are not ready.');
  const notReady = gauge('mq_awaiting_mergeability', 'Pull requests that are not ready yet.');
  const testing = gauge('mq_testing_slots_active', 'Pull requests that are being tested.');
  const conclusions = gauge('mq_pr_conclusions_1h_total', 'Conclusions in the last hour.', ['conclusion']);
  const restarts = gauge('mq_pr_restarts_1h_total', 'Tests in the last hour that ended without a result.');
  for (const all of everySeries(queues)) {
    for (const one of [depth, notReady, testing, restarts]) one.set(all, 0);
    for (const conclusion of CONCLUSIONS) conclusions.set({ ...all, conclusion }, 0);
  }
  for (const row of measured.now) {
    depth.set(labels(row), row.depth);
    notReady.set(labels(row), row.notReady);
    testing.set(labels(row), row.testing);
  }
  for (const row of measured.moves) {
    if (row.toState === 'pending') restarts.set(labels(row), row.times);
    // Conclusions count for the queue even if a culprit search led to them.
    else conclusions.inc({ ...labels({ ...row, queueType: 'main' }), conclusion: row.toState }, row.times);
  }
  histogram(
    'mq_pr_wait_duration_1h_seconds',
    'From pending to testing, of tests started in the last hour.',
    measured.waits,
  );
  histogram(
    'mq_pr_test_duration_1h_seconds',
    'From testing to the result, of results of the last hour.',
    measured.tests,
  );
  histogram(
    'mq_pr_time_in_queue_1h_seconds',
    'From pending to the conclusion, of conclusions of the last hour.',
    measured.stays,
  );
  return registry;
}

function labelsOf({ repo, host, branch }: MeasuredQueue, queueType: string) {
  return { repo, repo_host: host, branch, queue_type: queueType };
}

function everySeries(queues: readonly MeasuredQueue[]) {
  return queues.flatMap((queue) => QUEUE_TYPES.map((queueType) => labelsOf(queue, queueType)));
}
