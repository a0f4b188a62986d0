import type { World } from '../../support/world';
import { PER_DAY, type Template } from './past';

const PULL_REQUESTS = 50;
const DAY_MS = 86_400_000;
const TESTED_AT_ONCE = 3;

/** Every tenth test fails. Its pull request then fails, and the runs that were built on it are tested again. */
function outcomeOf(number: number): 'success' | 'failure' {
  return number % 10 === 0 ? 'failure' : 'success';
}

/** Has the service merge some pull requests with simulated people and CI. Returns the resulting template. */
export async function mergeByService(world: World): Promise<Template> {
  const { prisma, clock } = world;
  await world.createQueue({ requiredStatuses: ['tests'], concurrency: TESTED_AT_ONCE });
  for (let number = 1; number <= PULL_REQUESTS; number++) {
    world.memory.openPullRequest(number, { title: `Reads the file of change ${number} once`, body: BODY });
    await world.submit(number);
    await world.settles();
    if (number >= TESTED_AT_ONCE) await reportOldest(world);
    clock.advance(DAY_MS / PER_DAY);
  }
  while (await reportOldest(world)) clock.advance(DAY_MS / PER_DAY);
  const queue = await prisma.queue.findFirstOrThrow();
  const left = await prisma.entry.count({ where: { state: { notIn: ['merged', 'failed'] } } });
  if (left > 0) throw new Error(`${left} pull requests are left in the queue.`);
  const { id: queueId, repositoryId, nextRun, nextLanding, landedSeq, nextLog } = queue;
  const numbers = {
    runs: nextRun - 1,
    landings: nextLanding - 1,
    landed: Number(landedSeq),
    lines: Number(nextLog) - 1,
  };
  return { queueId, repositoryId, pullRequests: PULL_REQUESTS, ...numbers };
}

const BODY = 'It was read for every line.\n\nThe test shows how often, and the figures of the page are new.\n'.repeat(
  3,
);

/** Returns false if no test is in progress. */
async function reportOldest(world: World): Promise<boolean> {
  const run = await world.prisma.testRun.findFirst({
    where: { live: true, phase: 'testing' },
    orderBy: { number: 'asc' },
    include: { members: true },
  });
  if (!run?.commit) return false;
  const state = run.members.map(({ number }) => outcomeOf(number)).find((one) => one === 'failure') ?? 'success';
  for (const said of ['pending', state]) {
    await world.api.mustPost('reportStatus', { repo: world.repo, sha: run.commit, context: 'tests', state: said });
    await world.settles();
  }
  return true;
}
