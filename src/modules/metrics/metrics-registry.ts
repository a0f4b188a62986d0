import { Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { QueueTotal } from '../views/queue-totals';
import { CONCLUSIONS, type DurationRow, type MovedRow, type NowRow, QUEUE_TYPES } from './queue-counts';

export const BUCKETS: readonly number[] = [60, 300, 600, 900, 1800, 3600, 5400, 7200];
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
  readonly totals: ReadonlyMap<string, QueueTotal>;
}

/** The metrics of these queues in a new registry. Every series exists, with 0 if nothing was counted. */
export function registryOf(queues: readonly MeasuredQueue[], measured: Measurements): Registry {
  const registry = new Registry();
  const byId = new Map(queues.map((queue) => [queue.id, queue]));
  const labels = (row: { queueId: string; queueType: string }) => labelsOf(byId.get(row.queueId)!, row.queueType);
  const gauge = (name: string, help: string, more: readonly string[] = []) =>
    new Gauge({ name, help, labelNames: [...LABELS, ...more], registers: [registry] });
  const histogram = (name: string, help: string, rows: readonly DurationRow[]) => {
    const series = new Histogram({ name, help, labelNames: [...LABELS], buckets: [...BUCKETS], registers: [registry] });
    for (const all of everySeries(queues)) series.zero(all);
    for (const row of rows) series.observe(labels(row), row.seconds);
  };

  const depth = gauge('mq_depth_current', 'Pull requests in the queue that are ready.');
  const notReady = gauge('mq_awaiting_mergeability', 'Pull requests that are not ready yet.');
  const testing = gauge('mq_testing_slots_active', 'Pull requests that are being tested.');
  const conclusions = gauge('mq_pr_conclusions_1h_total', 'Pull requests that concluded in the last hour.', [
    'conclusion',
  ]);
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
    // Conclusions count for the queue even after a bisection.
    else conclusions.inc({ ...labels({ ...row, queueType: 'main' }), conclusion: row.toState }, row.times);
  }
  histogram(
    'mq_pr_wait_duration_1h_seconds',
    'Time from pending to testing, of tests that started in the last hour.',
    measured.waits,
  );
  histogram(
    'mq_pr_test_duration_1h_seconds',
    'Time from testing to the result, of tests that ended in the last hour.',
    measured.tests,
  );
  histogram(
    'mq_pr_time_in_queue_1h_seconds',
    'Time from pending to the conclusion, of pull requests that concluded in the last hour.',
    measured.stays,
  );
  addTotals(registry, queues, measured.totals);
  return registry;
}

/**
 * Totals since the queue was created, the same from every process, because `rate` and `histogram_quantile` need
 * steadily growing totals.
 */
function addTotals(
  registry: Registry,
  queues: readonly MeasuredQueue[],
  totals: ReadonlyMap<string, QueueTotal>,
): void {
  const counter = (name: string, help: string, more: readonly string[] = []) =>
    new Counter({ name, help, labelNames: [...LABELS, ...more], registers: [registry] });
  const conclusions = counter('mq_pr_conclusions_total', 'Conclusions since the queue was created.', ['conclusion']);
  const runs = counter('mq_test_runs_total', 'Test commits that were pushed since the queue was created.');
  for (const queue of queues) {
    const total = totals.get(queue.id)!;
    const labels = labelsOf(queue, 'main');
    for (const conclusion of CONCLUSIONS) conclusions.inc({ ...labels, conclusion }, total[conclusion]);
    runs.inc(labels, total.runs);
  }
  registry.registerMetric(timeToMerge(queues, totals));
}

/** A histogram from stored counts. The histogram class of prom-client can only observe one duration at a time. */
function timeToMerge(queues: readonly MeasuredQueue[], totals: ReadonlyMap<string, QueueTotal>): Metric {
  const name = 'mq_pr_time_to_merge_seconds';
  const values = queues.flatMap((queue) => {
    const { merged, timeToMerge: times } = totals.get(queue.id)!;
    const labels = labelsOf(queue, 'main');
    const bucket = (le: number | string, value: number) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le },
      value,
    });
    return [
      ...BUCKETS.map((le, index) => bucket(le, times.upTo[index]!)),
      bucket('+Inf', merged),
      { metricName: `${name}_sum`, labels, value: times.sum },
      { metricName: `${name}_count`, labels, value: merged },
    ];
  });
  const help = 'Time from the submission to the merge, of all merges since the queue was created.';
  const metric = { name, help, type: 'histogram', aggregator: 'sum', values };
  return { name, get: () => Promise.resolve(metric) } as unknown as Metric;
}

function labelsOf({ repo, host, branch }: MeasuredQueue, queueType: string) {
  return { repo, repo_host: host, branch, queue_type: queueType };
}

function everySeries(queues: readonly MeasuredQueue[]) {
  return queues.flatMap((queue) => QUEUE_TYPES.map((queueType) => labelsOf(queue, queueType)));
}
