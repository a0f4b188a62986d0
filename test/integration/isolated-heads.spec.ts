import { IsolatedHeads } from '../../src/processing/decisions/store/isolated-heads';
import { headKey } from '../../src/processing/decisions/store/target-sets';
import { World } from '../support/world';

const SHA = 'a'.repeat(40);

describe('Batching rules over long lists of targets', () => {
  let world: World;
  let repositoryId: string;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    ({ id: repositoryId } = await world.prisma.repository.findFirstOrThrow());
  });
  afterAll(() => world.close());
  beforeEach(() => world.prisma.impactedTargets.deleteMany());

  async function give(number: number, names: readonly string[]): Promise<void> {
    const facts = { repositoryId, number, sha: SHA, all: false, hashes: [], version: 1, updatedAt: world.clock.now() };
    await world.prisma.impactedTargets.create({ data: { ...facts, names: [...names], targetCount: names.length } });
  }

  /** The numbers of the pull requests that are tested alone, and the CPU time for finding them. */
  async function isolatedAmong(isolatedHeads: IsolatedHeads, numbers: readonly number[], globs: readonly string[]) {
    const rules = globs.map((targetPattern) => ({ targetPattern, policy: 'isolate' as const }));
    const heads = numbers.map((number) => ({ number, sha: SHA }));
    const began = process.cpuUsage();
    const keys = await world.sql.transaction((tx) => isolatedHeads.read(tx, { repositoryId }, rules, heads));
    const { user, system } = process.cpuUsage(began);
    return {
      numbers: numbers.filter((number) => keys.has(headKey({ number, sha: SHA }))),
      ms: (user + system) / 1_000,
    };
  }

  const many = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, i) => `//services/team-${i % 300}/package-${i}:lib`);

  it('compare 1,000 rules with 200,000 targets in about a second, and only once', async () => {
    const rules = Array.from({ length: 1_000 }, (_, i) => [`//never/${i}/*`, `*-${i}-never`, `*never?${i}*`][i % 3]!);
    await give(1, many(200_000));
    await give(2, [...many(200_000), '//infra/db']);
    const isolatedHeads = new IsolatedHeads();
    const first = await isolatedAmong(isolatedHeads, [1, 2], [...rules, '//infra/*']);
    expect(first.numbers).toEqual([2]);
    // Comparing all pairs of rules and targets would take half a minute.
    expect(first.ms).toBeLessThan(8_000);
    const again = await isolatedAmong(isolatedHeads, [1, 2], [...rules, '//infra/*']);
    expect(again.numbers).toEqual([2]);
    expect(again.ms).toBeLessThan(first.ms / 2);
  });

  it('attack 9: keep pull requests out of batches if their rules and targets are too slow to compare', async () => {
    const rules = Array.from({ length: 1_000 }, (_, i) => `*a${'?'.repeat(300 + (i % 600))}${i}b`);
    const name = (nth: number): string =>
      Array.from({ length: 1_000 }, (_, i) => (i % (2 + nth) === 0 || i % 7 === 0 ? 'a' : 'c')).join('');
    await give(
      1,
      Array.from({ length: 50 }, (_, i) => name(i)),
    );
    await give(2, ['//web']);
    const { numbers, ms } = await isolatedAmong(new IsolatedHeads(), [1, 2], rules);
    expect(numbers).toEqual([1]);
    expect(ms).toBeLessThan(8_000);
  });
});
