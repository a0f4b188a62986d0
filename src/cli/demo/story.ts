import { setTimeout as after } from 'node:timers/promises';
import type { ApiClient } from '../api-client';
import { CliError } from '../cli-error';
import type { PullRequestRecord, TestRunRecord } from '../records';
import { DEMO_REPOSITORY } from './demo-service';
import { DEMO_BRANCH, DEMO_PULL_REQUESTS, type DemoPullRequest } from './pull-requests';

/** A pull request as it stands now, and what its newest test run is built on. */
export interface Standing {
  readonly record: PullRequestRecord;
  readonly testedOn: string;
}

export interface StoryEnd {
  readonly standings: readonly Standing[];
  readonly ended: 'all concluded' | 'out of time';
}

const QUEUE = { repo: DEMO_REPOSITORY, targetBranch: DEMO_BRANCH } as const;
const AT_ONCE = 3;
const LOOK_AGAIN_MS = 250;
const LIMIT_MS = 80_000;

/** Plays the demo against the service, over HTTP only, and shows how all pull requests stand until each has concluded. */
export async function playStory(
  api: ApiClient,
  show: (standings: readonly Standing[]) => void,
  limitMs = LIMIT_MS,
): Promise<StoryEnd> {
  await api.post('createQueue', { ...QUEUE, concurrency: AT_ONCE });
  const first = planned('at first', 'at first, then cancelled');
  const late = planned('late and urgent');
  const started = performance.now();
  let standings: readonly Standing[] = [];
  for (let submitted: readonly DemoPullRequest[] = []; ;) {
    const next = first[submitted.length];
    if (next) {
      await api.post('submitPullRequest', of(next.number));
      submitted = [...submitted, next];
    } else if (submitted.length === first.length && standings.some(({ record }) => record.state === 'merged')) {
      await interrupt(api, late);
      submitted = [...submitted, ...late];
    } else {
      await after(LOOK_AGAIN_MS);
    }
    const before = standings;
    standings = await Promise.all(submitted.map(({ number }) => readStanding(api, number, before)));
    show(standings);
    if (submitted.length === DEMO_PULL_REQUESTS.length && standings.every(hasConcluded)) {
      return { standings, ended: 'all concluded' };
    }
    if (performance.now() - started > limitMs) return { standings, ended: 'out of time' };
  }
}

/** Once the line moves: somebody is in a hurry, and somebody has thought better of it. */
async function interrupt(api: ApiClient, late: readonly DemoPullRequest[]): Promise<void> {
  for (const { number } of late) await api.post('submitPullRequest', { ...of(number), priority: 'urgent' });
  for (const { number } of planned('at first, then cancelled')) await api.post('cancelPullRequest', of(number));
}

async function readStanding(api: ApiClient, number: number, before: readonly Standing[]): Promise<Standing> {
  const known = before.find(({ record }) => record.prNumber === number);
  if (known && hasConcluded(known)) return known;
  const record = await api.post<PullRequestRecord>('getSubmittedPullRequest', of(number));
  return { record, testedOn: record.state === 'pending' ? (known?.testedOn ?? '') : await readTestedOn(api, number) };
}

function hasConcluded({ record }: Standing): boolean {
  return !record.isCurrentlySubmittedToQueue;
}

async function readTestedOn(api: ApiClient, number: number): Promise<string> {
  try {
    const run = await api.post<TestRunRecord>('getMergeQueueTestingDetails', of(number));
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

function planned(...plans: readonly DemoPullRequest['plan'][]): DemoPullRequest[] {
  return DEMO_PULL_REQUESTS.filter(({ plan }) => plans.includes(plan));
}
