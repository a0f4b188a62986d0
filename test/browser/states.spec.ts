import type { NewPullRequest } from '../../src/code-hosts/memory/memory-repository';
import { describeInBrowser, LOOKS, type Person } from './browser';
import { pullRequest, submitImpacting } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam, Team } from './team';

/** Every state of the engine, each from a real queue that reached it. */
const STATES: Readonly<Record<string, (team: Team) => Promise<QueueOfTeam>>> = {
  'direct-merge': directMerge,
  switching,
  draining,
  'landing-refused-midway': refusedMidway,
  'red-target': redTarget,
  conflicts,
  dependencies,
  flow,
  'many-lanes': manyLanes,
  'runs-100': hundredRuns,
  'batch-100': hundredInBatch,
  'hostile-branch': hostileBranch,
};

describeInBrowser('Every state of a queue in a browser', () => {
  const stage = openStage(() => Promise.resolve());

  it.each(Object.keys(STATES))(
    '%s: the page shows exactly the test runs of the queue, and has no axe violations',
    async (name) => {
      const { team, person } = stage;
      const queue = await STATES[name]!(team);
      // Axe needs time for each of a hundred cards, so this state is shown in two looks only.
      for (const look of name.endsWith('100') ? [LOOKS[0]!, LOOKS[3]!] : LOOKS) {
        await person.look(look);
        await person.page.goto(queue.path);
        const found = { ...look, axe: await person.axe(), overflow: await person.overflow() };
        await person.picture(`state-${name}-${look.width}-${look.theme}`);
        expect(found).toEqual({ ...look, axe: [], overflow: 0 });
      }
      expect(await drawnRuns(person)).toEqual(await realRuns(team, queue));
    },
    300_000,
  );
});

/**
 * The number of each run and the tree under test, as the card of the run shows them. A part of the tree that stands for
 * several entries lists them in its title.
 */
function drawnRuns(person: Person): Promise<string[]> {
  return person.ask<string[]>(`[...document.querySelectorAll('article.run')].map((card) => [
    card.querySelector('h3[id]').textContent,
    ...[...card.querySelectorAll('.tree .b')].flatMap((part) => part.title.startsWith('#') ? part.title.split(', ') : [part.textContent]),
  ].join(' ')).sort()`);
}

/** The runs in the form of `drawnRuns`, from the database. */
async function realRuns(team: Team, queue: QueueOfTeam): Promise<string[]> {
  const { id } = await team.service.prisma.queue.findFirstOrThrow({
    where: { liveBranch: queue.branch, repository: { name: queue.repo.name } },
  });
  const runs = await team.service.prisma.testRun.findMany({
    where: { queueId: id, live: true },
    include: { members: { orderBy: { position: 'asc' } } },
  });
  // Runs of a bisection have no card, because the bisection's table shows them as rows.
  const beside = runs.filter(({ search, flow: of }) => search === null && !(of as { set?: number } | null)?.set);
  const drawn = beside.map(({ number, baseCommit, builtOn, members }) => {
    const ahead = (builtOn as { number: number }[]).map((head) => `#${head.number}`);
    const own = members.map((member) => `#${member.number}`);
    return [`Run ${number}`, `${queue.branch} ${baseCommit.slice(0, 7)}`, ...ahead, ...own].join(' ');
  });
  return drawn.sort();
}

async function submitAll(queue: QueueOfTeam, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) await queue.submit(number, pullRequest(number));
}

const upTo = (count: number, first = 1): number[] => Array.from({ length: count }, (_, index) => first + index);

async function directMerge(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('direct', { directMergeMode: 'always' });
  const sha = queue.repository.openPullRequest(1, pullRequest(1));
  await queue.reportOn(sha, 'success');
  await queue.ask('submitPullRequest', { pr: { number: 1 } });
  await queue.pass(2);
  await submitAll(queue, [2]);
  return queue;
}

async function switching(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('switching', { concurrency: 2 });
  await submitAll(queue, [1, 2, 3]);
  await queue.ask('updateQueue', { mode: 'parallel' });
  return queue;
}

async function draining(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('draining', { concurrency: 2 });
  await submitAll(queue, [1, 2, 3]);
  await queue.ask('updateQueue', { state: 'draining', pauseReason: 'the release of Friday' });
  await queue.pass(2);
  return queue;
}

async function refusedMidway(team: Team): Promise<QueueOfTeam> {
  const { host } = (await team.queue('midway-host')).repo;
  team.service.memoryHost(host).landOneAtATime();
  const queue = await team.queue('midway', { batch: true, batchingMinSize: 2 });
  await submitAll(queue, [1, 2]);
  queue.repository.pullRequest(2).refusalMidway = 'A review is missing.';
  await queue.report(1, 'success');
  return queue;
}

async function redTarget(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('red', { batch: true, batchingMinSize: 2 });
  await submitAll(queue, [1, 2]);
  queue.repository.pullRequest(2).refusalMidway = 'A review is missing.';
  await queue.report(1, 'success');
  const run = await team.service.prisma.testRun.findFirstOrThrow({
    where: { kind: 'target', queue: { repository: { name: 'red' } } },
  });
  await queue.reportOn(run.commit!, 'failure');
  await submitAll(queue, [3]);
  await queue.pass(5);
  return queue;
}

async function conflicts(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('conflicts', { concurrency: 3 });
  const priced = (price: number): NewPullRequest => ({ ...pullRequest(price), files: { 'price.txt': `${price}\n` } });
  await queue.submit(1, priced(10));
  await queue.submit(2, priced(12));
  await queue.submit(3, pullRequest(3));
  return queue;
}

async function dependencies(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('dependencies', { concurrency: 3 });
  const head = queue.repository.openPullRequest(1, pullRequest(1, { draft: true }));
  await queue.submit(2, pullRequest(2, { from: head }));
  await queue.submit(3, pullRequest(3));
  await queue.submit(4, pullRequest(4, { body: 'Depends-On: #2' }));
  return queue;
}

async function flow(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('flow', {
    ...{ scheduling: 'flow', canOptimisticallyMerge: true, batch: true, batchingMinSize: 4 },
    ...{ concurrency: 3, bisectionConcurrency: 2 },
  });
  await submitAll(queue, upTo(8));
  await queue.report(1, 'failure');
  await queue.pass(4);
  await submitAll(queue, [9, 10]);
  return queue;
}

async function manyLanes(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('many-lanes', { concurrency: 12, mode: 'parallel' });
  await submitImpacting(queue, {
    1: ['//pricing'],
    2: ['//search', '//catalogue'],
    3: ['//payments'],
    4: ['//mobile/checkout/with/a/long/name/of/its/own'],
    5: ['//docs'],
    6: ['//infrastructure'],
    7: ['//pricing', '//payments'],
    8: ['//docs'],
  });
  return queue;
}

async function hundredRuns(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('hundred-runs', { concurrency: 100, mode: 'parallel' });
  const targets = upTo(100).map((number) => [number, [`//service-${number % 25}`]] as const);
  await submitImpacting(queue, Object.fromEntries(targets), 0);
  await queue.pass(3);
  return queue;
}

async function hundredInBatch(team: Team): Promise<QueueOfTeam> {
  const queue = await team.queue('hundred', { batch: true, batchingMinSize: 100, batchingMaxWaitTimeMinutes: 30 });
  for (const number of upTo(100)) {
    queue.repository.openPullRequest(number, pullRequest(number));
    await queue.ask('submitPullRequest', { pr: { number } });
  }
  await queue.pass(3);
  return queue;
}

async function hostileBranch(team: Team): Promise<QueueOfTeam> {
  const branch = 'x"><img/src=x/onerror=harm()>&lt;\u202egnp';
  const queue = await team.queue('hostile-branch', { concurrency: 3 }, branch);
  for (const number of [1, 2]) await queue.submit(number, pullRequest(number, { base: branch }));
  // Pull request 3 has another base branch, whose name the queue shows.
  await submitAll(queue, [3]);
  return queue;
}
