import { shaOf } from './rows';
import { type TestedCommit, UploadingProject } from './uploading-project';

const TESTS = Array.from({ length: 20 }, (_, i) => `sells article ${i}`);
const MINUTE_MS = 60_000;

/** A test suite in which the tests listed in `failing.json` fail. */
const SHOP = `
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
const failing = JSON.parse(readFileSync('failing.json', 'utf8'));
for (const name of ${JSON.stringify(TESTS)}) test(name, () => { if (failing.includes(name)) throw new Error('sold out'); });
`;

describe('sluice upload with auto-quarantine and a real runner', () => {
  let project: UploadingProject;

  beforeAll(async () => {
    project = await UploadingProject.open({ 'shop.test.mjs': SHOP });
    await project.post('update-settings', { auto_quarantine: true });
    for (let run = 0; run < 3; run++) await exitOf([]);
  });
  afterAll(() => project.close());

  async function exitOf(failing: readonly string[], tested?: TestedCommit): Promise<number> {
    project.service.clock.advance(MINUTE_MS);
    project.write('failing.json', JSON.stringify(failing));
    return (await project.runWithNode(tested)).exit;
  }

  const statusOf = async (name: string) => (await project.testNamed(name)).status;

  it('ignores the failures of a flaky test until the test is permanently broken', async () => {
    const flaky = TESTS[0]!;
    const commit = shaOf(1_000);
    expect(await exitOf([flaky], { commit })).toBe(1);
    expect(await exitOf([], { commit })).toBe(0);
    expect(await statusOf(flaky)).toBe('flaky');

    const exits: number[] = [];
    while (exits.at(-1) !== 1 && exits.length < 20) exits.push(await exitOf([flaky]));
    expect(exits[0]).toBe(0);
    expect(exits.length).toBeLessThanOrEqual(8);
    expect(await statusOf(flaky)).toBe('broken');
    expect(await exitOf([flaky])).toBe(1);

    for (let passes = 0; passes < exits.length; passes++) expect(await exitOf([])).toBe(0);
    expect(await statusOf(flaky)).toBe('flaky');
  });

  it('attack 17: does not ignore a test for other people because a pull request made the test look flaky', async () => {
    const victim = TESTS[1]!;
    for (const commit of [shaOf(2_000), shaOf(2_001)]) {
      await exitOf([victim], { commit, pr: 7 });
      await exitOf([], { commit, pr: 7 });
    }
    expect(await exitOf([victim], { commit: shaOf(2_002), pr: 7 })).toBe(1);
    expect(await exitOf([victim], { commit: shaOf(2_003), pr: 8 })).toBe(1);
    expect(await exitOf([victim])).toBe(1);
    await exitOf([]);
  });

  it('does not ignore a test that failed only in an infrastructure failure', async () => {
    const hit = TESTS.slice(4, 16);
    const commit = shaOf(3_000);
    expect(await exitOf(hit, { commit })).toBe(1);
    expect(await exitOf([], { commit })).toBe(0);
    expect(await Promise.all(hit.map(statusOf))).toEqual(hit.map(() => 'healthy'));
    expect(await exitOf([hit[0]!])).toBe(1);
  });
});
