import { World } from '../support/world';

const FILE = '.sluice/sluice.yaml';
const STATUSES = 'merge: { required_statuses: [tests] }\n';
const TARGETS = 'targets:\n  web: [web/**]\n  api: [api/**]\n  docs: "*.md"\n  ALL: package.json\n';
const file = (targets: string) => ({ [FILE]: `${STATUSES}${targets}` });

describe('Targets of the configuration file', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'git' });
    world.git.pushTo('main', file(TARGETS));
    await world.createQueue({ mode: 'parallel', concurrency: 9 });
    await world.settles();
  });

  afterEach(() => world.close());

  const states = (...numbers: readonly number[]) => Promise.all(numbers.map((number) => world.stateOf(number)));
  const open = (number: number, ...paths: readonly string[]) =>
    world.git.openPullRequest(number, Object.fromEntries(paths.map((path) => [path, `${number}\n`])));

  async function submit(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) await world.submit(number);
    await world.settles();
  }

  /** Numbers of the pull requests that it is tested on top of. */
  async function testedOn(number: number): Promise<number[]> {
    const { dependentPrs } = (await world.details(number)) as { dependentPrs: { prNumber: number }[] };
    return dependentPrs.map(({ prNumber }) => prNumber);
  }

  const upload = (number: number, impactedTargets: unknown) =>
    world.api.mustPost('setImpactedTargets', {
      repo: world.repo,
      targetBranch: 'main',
      pr: { number },
      impactedTargets,
    });

  it('put pull requests into lanes by the files that they change, without a word from CI', async () => {
    open(1, 'web/a.ts');
    open(2, 'api/b.ts');
    open(3, 'web/c.ts', 'README.md');
    open(4, 'Makefile');
    await submit(1, 2, 3, 4);
    expect(await Promise.all([1, 2, 3, 4].map(testedOn))).toEqual([[], [], [1], [1, 2, 3]]);
    await world.report(2, 'success');
    await world.report(1, 'success');
    await world.report(3, 'success');
    await world.report(4, 'success');
    expect(await states(1, 2, 3, 4)).toEqual(['merged', 'merged', 'merged', 'merged']);
  });

  it('count until CI uploads some for the head, which then win', async () => {
    open(1, 'web/a.ts');
    open(2, 'web/b.ts');
    await submit(1, 2);
    expect(await testedOn(2)).toEqual([1]);
    await upload(2, ['other']);
    await world.settles();
    expect(await testedOn(2)).toEqual([]);
    expect(await world.prisma.impactedTargets.count()).toBe(1);
  });
});
