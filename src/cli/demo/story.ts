import { setTimeout as after } from 'node:timers/promises';
import type { ApiClient } from '../api-client';
import { CliError } from '../cli-error';
import type { PullRequestAnswer, TestRunAnswer } from '../service-answers';
import { DEMO_REPO } from './demo-service';
import { DEMO_ACTS, type DemoAct } from './acts';
import { DEMO_BRANCH, type DemoPullRequest } from './pull-requests';

/** The current record of a pull request, and the base of its newest test run. */
export interface Standing {
  readonly record: PullRequestAnswer;
  readonly testedOn: string;
}

export interface StoryEnd {
  readonly standings: readonly Standing[];
  readonly ended: 'all concluded' | 'stuck';
}

const QUEUE = { repo: DEMO_REPO, targetBranch: DEMO_BRANCH } as const;
const POLL_INTERVAL_MS = 250;
/** Slow machines need long for each step. The demo gives up when it sees no progress for this long. */
const PATIENCE_MS = 120_000;

/** Shows the pull requests of one act. */
interface Stage {
  begin(act: DemoAct): void;
  show(standings: readonly Standing[]): void;
  /** Shows the reason of a waiting pull request, if the act is about that reason. */
  quote(record: PullRequestAnswer): void;
  commitsInTest(): Promise<readonly string[]>;
  end(act: DemoAct): Promise<void>;
}

/**
 * Plays the acts one after another over HTTP, until all pull requests have concluded or nothing happens for a while.
 */
export async function playStory(api: ApiClient, stage: Stage): Promise<StoryEnd> {
  const standings: Standing[] = [];
  for (const [i, act] of DEMO_ACTS.entries()) {
    stage.begin(act);
    await api.post(i === 0 ? 'createQueue' : 'updateQueue', { ...QUEUE, ...act.settings });
    const played = await playAct(api, act, stage);
    standings.push(...played);
    await stage.end(act);
    if (!played.every(hasConcluded)) return { standings, ended: 'stuck' };
  }
  return { standings, ended: 'all concluded' };
}

async function playAct(api: ApiClient, act: DemoAct, stage: Stage): Promise<readonly Standing[]> {
  const first = act.pullRequests.filter(({ plan }) => plan !== 'late and urgent');
  let standings: readonly Standing[] = [];
  const answered = new Set<string>();
  let movedAt = performance.now();
  for (let submitted: readonly DemoPullRequest[] = []; ;) {
    const next = first[submitted.length];
    if (next) {
      await submit(api, next, {});
      submitted = [...submitted, next];
      const isPaused = act.settings['state'] === 'paused' && submitted.length === first.length;
      if (isPaused) await api.post('updateQueue', { ...QUEUE, state: 'running' });
    } else if (submitted.length === first.length && standings.some((standing) => isTimeForLate(act, standing))) {
      for (const { record } of standings.filter((standing) => isTimeForLate(act, standing)))
        if (act.lateOnce.waitsFor !== undefined) stage.quote(record);
      submitted = [...submitted, ...(await interrupt(api, act))];
    } else {
      await after(POLL_INTERVAL_MS);
    }
    if (act.reportsStatus !== undefined)
      await report(api, act.reportsStatus, {
        commits: (await stage.commitsInTest()).filter((commit) => !answered.has(commit)),
        state: submitted.length > first.length ? 'success' : 'failure',
        answered,
      });
    const before = standings;
    standings = await Promise.all(submitted.map(({ number }) => readStanding(api, number, before)));
    stage.show(standings);
    if (submitted.length === act.pullRequests.length && standings.every(hasConcluded)) return standings;
    if (positionsOf(standings) !== positionsOf(before)) movedAt = performance.now();
    if (performance.now() > movedAt + PATIENCE_MS) return standings;
  }
}

interface CiAnswer {
  readonly commits: readonly string[];
  readonly state: 'success' | 'failure';
  readonly answered: Set<string>;
}

async function report(api: ApiClient, context: string, { commits, state, answered }: CiAnswer): Promise<void> {
  for (const sha of commits) {
    await api.post('reportStatus', { repo: DEMO_REPO, sha, context, state });
    answered.add(sha);
  }
}

function isTimeForLate({ lateOnce }: DemoAct, { record }: Standing): boolean {
  if (lateOnce.waitsFor !== undefined && record.waitingFor?.includes(lateOnce.waitsFor) !== true) return false;
  return record.state === lateOnce.state && (lateOnce.number === 'any' || lateOnce.number === record.prNumber);
}

/** Once the queue moves, submits the late pull requests, and cancels those with a planned cancellation. */
async function interrupt(api: ApiClient, { pullRequests }: DemoAct): Promise<readonly DemoPullRequest[]> {
  const late = pullRequests.filter(({ plan }) => plan === 'late and urgent');
  for (const pullRequest of late) await submit(api, pullRequest, { priority: 'urgent' });
  for (const { number, plan } of pullRequests) {
    if (plan === 'at first, then cancelled') await api.post('cancelPullRequest', of(number));
  }
  return late;
}

async function submit(api: ApiClient, { number, impactedTargets }: DemoPullRequest, options: object): Promise<void> {
  if (impactedTargets)
    await api.post('setImpactedTargets', {
      repo: DEMO_REPO,
      pr: { number },
      targetBranch: DEMO_BRANCH,
      impactedTargets,
    });
  await api.post('submitPullRequest', { ...of(number), ...options });
}

async function readStanding(api: ApiClient, number: number, before: readonly Standing[]): Promise<Standing> {
  const known = before.find(({ record }) => record.prNumber === number);
  if (known && hasConcluded(known)) return known;
  const record = await api.post<PullRequestAnswer>('getSubmittedPullRequest', of(number));
  return { record, testedOn: record.state === 'pending' ? (known?.testedOn ?? '') : await readTestedOn(api, number) };
}

function positionsOf(standings: readonly Standing[]): string {
  return standings
    .map(({ record, testedOn }) => `${record.prNumber} ${record.state} ${record.stateReason} ${testedOn}`)
    .join('; ');
}

function hasConcluded({ record }: Standing): boolean {
  return !record.isCurrentlySubmittedToQueue;
}

async function readTestedOn(api: ApiClient, number: number): Promise<string> {
  try {
    const run = await api.post<TestRunAnswer>('getMergeQueueTestingDetails', of(number));
    const ahead = run.dependentPrs.map(({ prNumber }) => `#${prNumber}`);
    return [`${run.targetBranch} ${run.baseSha.slice(0, 7)}`, ...ahead].join(' + ');
  } catch (error) {
    if (error instanceof CliError && error.code === 'TEST_RUN_NOT_FOUND') return '';
    throw error;
  }
}

function of(number: number): object {
  return { ...QUEUE, pr: { number } };
}
