import type { CommitState, StatusReport } from '../../../domain/code-host.port';
import { numberAt, textAt, timeAt, unknownState } from '../../reading';
import type { SeenJob } from '../../counting-jobs';

const STATUS_STATES: readonly CommitState[] = ['pending', 'success', 'failure', 'error'];
const CONCLUSIONS: readonly CommitState[] = [
  ...(['success', 'failure', 'neutral', 'cancelled', 'skipped'] as const),
  ...(['timed_out', 'action_required', 'startup_failure', 'stale'] as const),
];
const BEFORE_EVERYTHING = new Date(0);

/** A commit status from the API or from a delivery; null if a field is missing that the queue needs. */
export function statusIn(body: unknown, repositoryId: string, sha: string): StatusReport | null {
  const id = numberAt(body, 'id');
  const name = textAt(body, 'context');
  const word = textAt(body, 'state');
  if (id === null || name === null || word === null) return null;
  const state = STATUS_STATES.find((known) => known === word);
  return {
    ...{ repositoryId, sha, name, state: state ?? 'pending' },
    kind: 'status',
    app: appOfStatus(body),
    ...reporterOfStatus(body),
    hostTime: timeAt(body, 'updated_at') ?? timeAt(body, 'created_at') ?? BEFORE_EVERYTHING,
    hostId: String(id),
    url: textAt(body, 'target_url'),
    description: state === undefined ? unknownState(word) : textAt(body, 'description'),
  };
}

/** A check run from the API; null under the same conditions as in `checkRunIn`. */
export function seenCheckRunIn(body: unknown, repositoryId: string): SeenJob | null {
  const id = numberAt(body, 'id');
  const report = checkRunIn(body, repositoryId);
  if (id === null || report === null) return null;
  return { id, suite: numberAt(body, 'check_suite', 'id'), isOfActions: isOfActions(body), report };
}

/** A check run from the API or from a delivery; null if a field is missing that the queue needs. */
export function checkRunIn(body: unknown, repositoryId: string): StatusReport | null {
  const id = numberAt(body, 'id');
  const name = textAt(body, 'name');
  const sha = textAt(body, 'head_sha');
  if (id === null || name === null || sha === null) return null;
  const state = checkStateOf(body);
  return {
    ...{ repositoryId, sha, name, state },
    kind: 'check_run',
    ...(isUnconfirmed(body, state) && { isUnconfirmed: true }),
    app: textOf(numberAt(body, 'app', 'id')),
    ...reporterOfCheck(body),
    job: String(id),
    hostTime: timeAt(body, 'completed_at') ?? timeAt(body, 'started_at') ?? BEFORE_EVERYTHING,
    // Times are whole seconds and the id stays the same, so the phase in the id tells the beginning of a short run from
    // its end.
    hostId: `${id}-${phaseOf(body)}`,
    url: textAt(body, 'html_url') ?? textAt(body, 'details_url'),
    description: unknownConclusionOf(body) ?? textAt(body, 'output', 'title'),
  };
}

/**
 * Whether the state must be confirmed by the list of jobs: the job may have been replaced or stopped, or its runner may
 * be lost.
 */
function isUnconfirmed(body: unknown, state: CommitState): boolean {
  return state === 'cancelled' || (state === 'failure' && isOfActions(body));
}

function isOfActions(body: unknown): boolean {
  return textAt(body, 'app', 'slug') === 'github-actions';
}

/**
 * The id of the app that set a status. A status does not name its app, but it has the picture of its reporter, and the
 * picture of an app is at /in/<id of the app>.
 */
function appOfStatus(body: unknown): string | null {
  return /\/in\/(\d+)/.exec(textAt(body, 'avatar_url') ?? '')?.[1] ?? null;
}

/** The reporter of a status. In a delivery, this is the sender. Jobs of Actions set statuses with their tokens. */
function reporterOfStatus(body: unknown): Pick<StatusReport, 'reporter'> {
  const login = textAt(body, 'creator', 'login') ?? textAt(body, 'sender', 'login');
  if (login === OF_ACTIONS) return { reporter: 'job_token' };
  const app = appOfStatus(body);
  if (app !== null) return { reporter: `app:${app}` };
  return login === null ? {} : { reporter: `login:${login}` };
}

/**
 * The reporter of a check run. A job may create check runs with any name as the app of Actions. A real job is
 * recognised by its URL, which GitHub itself writes.
 */
function reporterOfCheck(body: unknown): Pick<StatusReport, 'reporter'> {
  const app = numberAt(body, 'app', 'id');
  if (isOfActions(body)) return { reporter: OF_A_JOB.test(textAt(body, 'html_url') ?? '') ? 'job' : 'job_token' };
  return app === null ? {} : { reporter: `app:${app}` };
}

const OF_ACTIONS = 'github-actions[bot]';
const OF_A_JOB = /\/actions\/runs\/\d+\/job\/\d+/;

function textOf(id: number | null): string | null {
  return id === null ? null : String(id);
}

/** The state of a check run, or of a job of Actions. */
export function checkStateOf(body: unknown): CommitState {
  if (textAt(body, 'status') !== 'completed') return 'pending';
  const conclusion = textAt(body, 'conclusion');
  return CONCLUSIONS.find((known) => known === conclusion) ?? 'pending';
}

function unknownConclusionOf(body: unknown): string | null {
  const conclusion = textAt(body, 'conclusion');
  const isKnown = conclusion === null || CONCLUSIONS.some((known) => known === conclusion);
  return isKnown ? null : unknownState(conclusion);
}

function phaseOf(body: unknown): number {
  const status = textAt(body, 'status');
  if (status === 'completed') return 2;
  return status === 'in_progress' ? 1 : 0;
}
