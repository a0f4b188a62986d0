import type { CommitState, StatusReport } from '../../../domain/code-host.port';
import { at, numberAt, textAt, timeAt } from '../../reading';

/** The name of the report for a pipeline as a whole. */
export const WHOLE_PIPELINE = 'pipeline';
const BEFORE_EVERYTHING = new Date(0);
/**
 * Only these count, the first one before the second: whoever may push can report external statuses under any name, and start
 * pipelines by hand with variables of their own.
 */
const SOURCES = ['merge_request_event', 'push'];

/** A skipped job did not run because an earlier one failed: no success. A manual one waits for somebody. */
const STATES: Readonly<Record<string, CommitState>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'error',
  canceling: 'error',
  skipped: 'failure',
};

/** The pipeline that decides for a commit; null: there is none yet. */
export function decidingPipeline(pipelines: readonly unknown[]): unknown {
  const newest = pipelines.toSorted((a, b) => (numberAt(b, 'id') ?? 0) - (numberAt(a, 'id') ?? 0));
  for (const source of SOURCES) {
    const found = newest.find((one) => textAt(one, 'source') === source);
    if (found !== undefined) return found;
  }
  return null;
}

/** A report for every job by its name, and one for the whole. `jobs`: without those that were tried again. */
export function reportsOf(
  pipeline: unknown,
  jobs: readonly unknown[],
  repositoryId: string,
  sha: string,
): readonly StatusReport[] {
  const byName = new Map<string, StatusReport>();
  for (const job of jobs.toSorted((a, b) => (numberAt(a, 'id') ?? 0) - (numberAt(b, 'id') ?? 0))) {
    const report = reportIn(job, textAt(job, 'name'), repositoryId, sha);
    if (report !== null) byName.set(report.name, report);
  }
  const whole = reportIn(pipeline, WHOLE_PIPELINE, repositoryId, sha);
  if (whole === null) return [...byName.values()];
  const state = whole.state === 'success' ? stateByJobs(jobs) : whole.state;
  return [...[...byName.values()].filter(({ name }) => name !== WHOLE_PIPELINE), { ...whole, state }];
}

/**
 * An external status can turn a pipeline green although a job of its own has failed or waits for somebody, or although it has
 * none at all because its configuration is broken. What is skipped in a green pipeline was for other endings.
 */
function stateByJobs(jobs: readonly unknown[]): CommitState {
  const words = jobs.filter((job) => at(job, 'allow_failure') !== true).map((job) => textAt(job, 'status') ?? '');
  const states = words.filter((word) => word !== 'skipped').map((word) => STATES[word] ?? 'pending');
  if (jobs.length === 0 || states.includes('failure') || states.includes('error')) return 'failure';
  return states.includes('pending') ? 'pending' : 'success';
}

function reportIn(body: unknown, name: string | null, repositoryId: string, sha: string): StatusReport | null {
  const id = numberAt(body, 'id');
  if (id === null || name === null) return null;
  const times = ['updated_at', 'finished_at', 'started_at', 'created_at'];
  return {
    ...{ repositoryId, sha, name, state: stateOf(body), kind: 'status', hostId: String(id) },
    hostTime: times.map((field) => timeAt(body, field)).find((time) => time !== null) ?? BEFORE_EVERYTHING,
    url: textAt(body, 'web_url'),
    description: textAt(body, 'status'),
  };
}

function stateOf(body: unknown): CommitState {
  return STATES[textAt(body, 'status') ?? ''] ?? 'pending';
}
