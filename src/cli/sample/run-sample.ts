import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSignInLink, signInLinkUrl } from '../../platform/auth/sign-in-links';
import { SystemClock } from '../../platform/clock/clock';
import { npmScript } from '../../platform/config/client-settings';
import { ApiClient } from '../api-client';
import { describeRepository } from '../arguments';
import { CliError } from '../cli-error';
import type { Database } from '../database-session';
import type { PullRequestAnswer, QueueWithEntriesAnswer } from '../service-answers';
import type { Terminal } from '../terminal';
import type { LocalService } from './local-service';
import { makeRecords, SAMPLE_ORGANIZATION, type SampleToken } from './sample-records';
import { makeRepository, openPullRequests, SAMPLE_BRANCH, type SamplePullRequest } from './sample-repository';
import { SAMPLE_STATUS, type SampleQueue, watchSample } from './watch-sample';

interface Surroundings {
  readonly prisma: Database;
  readonly terminal: Terminal;
  readonly interrupted: AbortSignal;
}

/**
 * Shows two pull requests in a queue of the running service. Throws a CliError unless one pull request merges and the
 * other fails.
 */
export async function runSample(service: LocalService, surroundings: Surroundings): Promise<void> {
  const { prisma, terminal, interrupted } = surroundings;
  const say = (line: string): void => terminal.out(`${line}\n`);
  const repo = sampleRepository(service);
  const bare = service.gitHost.repositoryFolder(repo.owner, repo.name);
  const workFolder = await mkdtemp(join(tmpdir(), 'sluice-sample-'));
  try {
    await makeRepository(bare, join(workFolder, 'first'));
    const token = await makeRecords(prisma, repo);
    const api = new ApiClient({ url: service.url, token: token.token });
    const queue: SampleQueue = { api, repo, bare, workFolder, say, interrupted };
    await makeQueue(queue);
    await sayWhereToLook(service, surroundings, token);
    const opened = await openPullRequests(bare, join(workFolder, 'pull-requests'));
    sayBeginning(queue, opened);
    for (const { number } of opened) await queue.api.post('submitPullRequest', { ...queueOf(queue), pr: { number } });
    const [first, second] = await watchSample(
      queue,
      opened.map(({ number }) => number),
    );
    checkEnd(first, second);
    sayHowToGoOn(queue, opened[1]);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

export function sampleRepository({ gitHost }: LocalService) {
  return { host: gitHost.name, owner: SAMPLE_ORGANIZATION, name: 'deliveries' } as const;
}

function queueOf({ repo }: Pick<SampleQueue, 'repo'>) {
  return { repo, targetBranch: SAMPLE_BRANCH } as const;
}

/** Creates the queue, or cancels the pull requests that an interrupted run left in an existing queue. */
async function makeQueue(queue: SampleQueue): Promise<void> {
  const settings = { concurrency: 2, requiredStatuses: [SAMPLE_STATUS] };
  try {
    await queue.api.post('createQueue', { ...queueOf(queue), ...settings });
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'QUEUE_ALREADY_EXISTS') throw error;
    await cancelSubmitted(queue);
    await queue.api.post('updateQueue', { ...queueOf(queue), ...settings, state: 'running' });
  }
}

export async function cancelSubmitted(queue: Pick<SampleQueue, 'api' | 'repo'>): Promise<void> {
  const { enqueuedPullRequests } = await queue.api.post<QueueWithEntriesAnswer>('getQueue', queueOf(queue));
  for (const { prNumber: number } of enqueuedPullRequests) {
    try {
      await queue.api.post('cancelPullRequest', { ...queueOf(queue), pr: { number } });
    } catch (error) {
      // The pull request has concluded meanwhile.
      if (!(error instanceof CliError) || error.code !== 'PR_NOT_IN_ACTIVE_STATE') throw error;
    }
  }
}

/** The link is written to a terminal only, because piped output may end up in a log. */
async function sayWhereToLook(
  service: LocalService,
  { prisma, terminal }: Surroundings,
  token: SampleToken,
): Promise<void> {
  const { publicUrl } = service;
  const { host, owner, name } = sampleRepository(service);
  const query = new URLSearchParams({ repo: `${host}/${owner}/${name}`, branch: SAMPLE_BRANCH }).toString();
  terminal.out(`Watch the queue on its page: ${publicUrl}/ui/queue?${query}\n`);
  const request = { organizationSlug: SAMPLE_ORGANIZATION, tokenName: token.name };
  if (terminal.columns === undefined)
    return terminal.out(
      `Sign in with a link: sluice sign-in-link --org ${SAMPLE_ORGANIZATION} --name ${token.name}\n\n`,
    );
  const { code } = await createSignInLink(prisma, request, new SystemClock().now());
  terminal.out(`Sign in within 10 minutes, once: ${signInLinkUrl(publicUrl, code)}\n\n`);
}

function sayBeginning({ say, repo, bare }: SampleQueue, opened: readonly SamplePullRequest[]): void {
  say(`Repository: ${bare}`);
  say(
    `Its test: no van may carry more than 10 boxes. Each pull request passes this test alone, and both together fail it.`,
  );
  for (const { number, title } of opened) say(`  #${number} ${title}`);
  say(`The queue of ${describeRepository(repo)} ${SAMPLE_BRANCH} requires the status "${SAMPLE_STATUS}".`);
  say(`This command acts as CI: it tests the commits of the queue and reports that status.`);
  say('');
}

function checkEnd(first: PullRequestAnswer | undefined, second: PullRequestAnswer | undefined): void {
  if (first?.state === 'merged' && second?.state === 'failed') return;
  const ends = [first, second].map((record) => `#${record?.prNumber} ${record?.state}`).join(', ');
  throw new CliError(`The first pull request should merge and the second should fail, but they ended as: ${ends}.`, {
    next: 'See why with: sluice explain <repository> <number>',
  });
}

function sayHowToGoOn({ say, repo }: SampleQueue, { number }: SamplePullRequest): void {
  const remove = npmScript() === 'sample' ? 'npm run sample -- --remove' : 'sluice sample --remove';
  say('');
  say(`One pull request merged and one failed, so ${SAMPLE_BRANCH} still passes its test.`);
  say('');
  say(`Next: look at the page. On the command line: sluice explain ${describeRepository(repo)} ${number}`);
  say(`Remove all that the sample made: ${remove}`);
}
