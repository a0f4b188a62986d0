import type { CommitState, StatusReport } from '../../../domain/code-host.port';
import type { StatusReporter } from '../../../domain/status-reporter';
import { missingIn, numberAt, textAt, timeAt, unknownState } from '../../reading';
import { addressIn } from './job-address';

/**
 * The states of the host. A warning does not count as success, because the host ranks it between failure and pending.
 */
const STATES: ReadonlyMap<string, CommitState> = new Map([
  ...(['pending', 'success', 'failure', 'error', 'skipped'] as const).map((word) => [word, word] as const),
  ['warning', 'failure'],
]);
const BEFORE_EVERYTHING = new Date(0);

/**
 * A commit status from the API or from a delivery; null if a field is missing that the queue needs. Servers accept any
 * text as a state, and an unknown state counts as pending.
 */
export function giteaStatusIn(body: unknown, repositoryId: string, sha: string): StatusReport | null {
  const id = numberAt(body, 'id');
  const name = textAt(body, 'context');
  const word = stateIn(body);
  if (id === null || name === null || word === null) return null;
  const state = STATES.get(word);
  return {
    ...{ repositoryId, sha, name, state: state ?? 'pending' },
    kind: 'status',
    reporter: reporterOf(body),
    hostTime: timeAt(body, 'updated_at') ?? timeAt(body, 'created_at') ?? BEFORE_EVERYTHING,
    hostId: String(id),
    url: textAt(body, 'target_url') || null,
    description: state === undefined ? unknownState(word) : textAt(body, 'description') || null,
  };
}

/**
 * The reporter of a status. Jobs, tokens of jobs and deleted users have no login, and only the list of jobs tells which
 * of these reported: see `reportsByName`.
 */
function reporterOf(body: unknown): StatusReporter {
  const login = textAt(body, 'creator', 'login') || textAt(body, 'sender', 'login');
  if (login !== null && login !== '' && !ACTIONS.includes(login)) return `login:${login}`;
  return addressIn(textAt(body, 'target_url')) === null ? 'job_token' : 'job';
}

const ACTIONS = ['gitea-actions', 'forgejo-actions'];

/** Why a status in a list cannot be read, in words; null if it can. */
export function flawOfStatus(body: unknown): string | null {
  const missing = missingIn(body, { id: 'number', context: 'text' });
  if (missing !== null) return `without ${missing}`;
  return stateIn(body) === null ? 'without status' : null;
}

function stateIn(body: unknown): string | null {
  return textAt(body, 'status') ?? textAt(body, 'state');
}

/**
 * A commit status from a webhook. Actions report a cancelled job, and a job whose runner was lost, as failed, and only
 * the list of jobs has the real result.
 */
export function toldStatusIn(body: unknown, repositoryId: string, sha: string): StatusReport | null {
  const report = giteaStatusIn(body, repositoryId, sha);
  if (report === null || report.state === 'pending' || addressIn(report.url) === null) return report;
  return { ...report, isUnconfirmed: true };
}
