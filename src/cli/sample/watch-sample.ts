import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { RepositoryName } from '../../platform/repository-name';
import type { ApiClient } from '../api-client';
import { CliError } from '../cli-error';
import type { PullRequestAnswer, TestRunAnswer } from '../service-answers';
import { SAMPLE_BRANCH, testCommit } from './sample-repository';

export const SAMPLE_STATUS = 'test';

const POLL_INTERVAL_MS = 250;
const REMIND_EVERY_MS = 10_000;
/** Slow machines need long for each step. The sample gives up when it sees no progress for this long. */
const PATIENCE_MS = 120_000;

export interface SampleQueue {
  readonly api: ApiClient;
  readonly repo: RepositoryName;
  readonly bare: string;
  /** An existing folder for checkouts of commits. */
  readonly workFolder: string;
  readonly say: (line: string) => void;
  readonly interrupted: AbortSignal;
}

/** Follows pull requests until the queue has decided on all of them, and tests every candidate of the queue. */
export async function watchSample(
  queue: SampleQueue,
  numbers: readonly number[],
): Promise<readonly PullRequestAnswer[]> {
  const tested = new Set<string>();
  let shown = '';
  let [movedAt, saidAt] = [performance.now(), performance.now()];
  while (!queue.interrupted.aborted) {
    const records = await Promise.all(
      numbers.map((number) => ask<PullRequestAnswer>(queue, 'getSubmittedPullRequest', number)),
    );
    const states = records.map(describeState);
    if (states.join() !== shown) {
      states.filter((state) => !shown.split(',').includes(state)).forEach(queue.say);
      shown = states.join();
      movedAt = saidAt = performance.now();
    }
    for (const { prNumber } of records.filter(({ state }) => state === 'testing')) {
      if (await playCi(queue, prNumber, tested)) movedAt = saidAt = performance.now();
    }
    if (records.every(({ isCurrentlySubmittedToQueue }) => !isCurrentlySubmittedToQueue)) return records;
    const waiting = records.flatMap(({ prNumber, waitingFor }) =>
      waitingFor ? [`#${prNumber} waits: ${waitingFor}`] : [],
    );
    if (performance.now() > movedAt + PATIENCE_MS) throw stuck(waiting);
    if (performance.now() > saidAt + REMIND_EVERY_MS) {
      waiting.forEach(queue.say);
      saidAt = performance.now();
    }
    await after(POLL_INTERVAL_MS);
  }
  throw new CliError('The sample was interrupted.', {
    next: 'The next run of this command cancels its pull requests.',
  });
}

/** Tests the commit of a pull request's run, once, and reports the status. Returns whether there was a run to test. */
async function playCi(queue: SampleQueue, number: number, tested: Set<string>): Promise<boolean> {
  const run = await testRunOf(queue, number);
  if (run === null || tested.has(run.testBranchSha)) return false;
  tested.add(run.testBranchSha);
  const { state, said } = await testCommit(queue.bare, run.testBranchSha, join(queue.workFolder, run.testBranchSha));
  await queue.api.post('reportStatus', {
    ...{ repo: queue.repo, sha: run.testBranchSha, context: SAMPLE_STATUS, state, description: said },
  });
  const ahead = run.dependentPrs.map(({ prNumber }) => ` + #${prNumber}`).join('');
  const verdict = state === 'success' ? 'passed' : 'failed';
  queue.say(`   test of ${SAMPLE_BRANCH}${ahead} + #${number} ${verdict}: ${said}`);
  return true;
}

/** The pull request's test run; null: the candidate is not pushed yet, or the run has ended meanwhile. */
async function testRunOf(queue: SampleQueue, number: number): Promise<TestRunAnswer | null> {
  try {
    const run = await ask<TestRunAnswer>(queue, 'getMergeQueueTestingDetails', number);
    return run.testBranchSha ? run : null;
  } catch (error) {
    if (error instanceof CliError && error.code === 'TEST_RUN_NOT_FOUND') return null;
    throw error;
  }
}

function ask<T>({ api, repo }: SampleQueue, operation: string, number: number): Promise<T> {
  return api.post<T>(operation, { repo, targetBranch: SAMPLE_BRANCH, pr: { number } });
}

function describeState({ prNumber, state, stateMessage }: PullRequestAnswer): string {
  return `#${prNumber} ${state}${stateMessage ? `: ${stateMessage}` : ''}`;
}

function stuck(waiting: readonly string[]): CliError {
  const minutes = PATIENCE_MS / 60_000;
  return new CliError([`Nothing has happened for ${minutes} minutes.`, ...waiting].join(' '), {
    next: 'See the log of the service.',
  });
}
