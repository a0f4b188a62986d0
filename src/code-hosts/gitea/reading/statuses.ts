import type { CommitState, StatusReport } from '../../../domain/code-host.port';
import { missingIn, numberAt, textAt, timeAt } from '../../reading';
import { worstOf } from './status-patterns';

/** A warning is no success: the host ranks it between a failure and what still runs. */
const STATES: Readonly<Record<string, CommitState>> = {
  pending: 'pending',
  success: 'success',
  failure: 'failure',
  error: 'error',
  warning: 'failure',
  skipped: 'skipped',
};
const BEFORE_EVERYTHING = new Date(0);

/** A commit status, of the API or of a delivery; null when something is missing that the queue cannot do without. */
export function giteaStatusIn(body: unknown, repositoryId: string, sha: string): StatusReport | null {
  const id = numberAt(body, 'id');
  const name = textAt(body, 'context');
  const state = STATES[textAt(body, 'status') ?? textAt(body, 'state') ?? ''];
  if (id === null || name === null || state === undefined) return null;
  return {
    ...{ repositoryId, sha, name, state },
    kind: 'status',
    hostTime: timeAt(body, 'updated_at') ?? timeAt(body, 'created_at') ?? BEFORE_EVERYTHING,
    hostId: String(id),
    url: textAt(body, 'target_url') || null,
    description: textAt(body, 'description') || null,
  };
}

/** What keeps a status of a list from being read, in words; null: nothing. */
export function flawOfStatus(body: unknown): string | null {
  const missing = missingIn(body, { id: 'number', context: 'text' });
  if (missing !== null) return `without ${missing}`;
  const state = textAt(body, 'status') ?? textAt(body, 'state');
  if (state === null) return 'without status';
  return state in STATES ? null : `as "${state}", which is no state that this version knows`;
}

/** Every report is a row of its own: of a name the newest counts, and of several workflows under one name the worst of these. */
export function newestOf(reports: readonly StatusReport[]): readonly StatusReport[] {
  const byName = new Map<string, Map<string, StatusReport>>();
  for (const report of reports.toSorted((a, b) => Number(a.hostId) - Number(b.hostId))) {
    const sources = byName.get(report.name) ?? new Map<string, StatusReport>();
    byName.set(report.name, sources.set(sourceOf(report), report));
  }
  return [...byName.values()].flatMap((sources) => {
    const newest = [...sources.values()].reduce((a, b) => (Number(b.hostId) > Number(a.hostId) ? b : a));
    const worst = worstOf([...sources.values()].filter(isOfActions));
    // What reported last outside of Actions is the only one of its name.
    if (worst === null || !isOfActions(newest)) return [newest];
    return [{ ...worst, hostTime: newest.hostTime, hostId: newest.hostId }];
  });
}

const RUN = /\/actions\/runs\/(\d+)/;

function isOfActions({ url }: StatusReport): boolean {
  return RUN.test(url ?? '');
}

/** Two workflow files with one name report under one name; only the addresses of their runs tell them apart. */
function sourceOf({ url }: StatusReport): string {
  return RUN.exec(url ?? '')?.[1] ?? '';
}
