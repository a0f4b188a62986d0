import type { MemoryShown } from '../../src/code-hosts/memory/memory-conversation';
import { World } from '../support/world';

const MARKER = '<!-- sluice-merge-queue -->';

describe('The failed tests in the last run of a pull request', () => {
  let world: World;
  let shown: MemoryShown;

  beforeEach(async () => {
    world = await World.create({ host: 'memory', settings: { publicUrl: 'https://sluice.example' } });
    shown = world.memoryHost.openConversation().of(world.repo);
    await world.createQueue({ requiredStatuses: ['tests'] });
    const settings = { quarantine_enabled: true, auto_quarantine: true };
    await world.api.mustPost('flaky-tests/update-settings', { repo: world.repo, org_url_slug: 'acme', ...settings });
    const { commit } = world.memory.tip('main');
    await world.uploadTests({ rings: 'failed', pays: 'passed' }, { commit });
    await world.uploadTests({ rings: 'passed' }, { commit });
    // The row is changed as by an upload with a CODEOWNERS file.
    await world.prisma.testCase.updateMany({ where: { name: 'rings' }, data: { codeowners: ['@acme/bells'] } });
    world.clock.advance(86_400_000);
    world.memory.openPullRequest(1);
    await world.submit(1);
    await world.settles();
  });
  afterEach(() => world.close());

  const comment = (number: number): string => shown.comment(number, MARKER)?.body ?? '';
  const rows = (number: number): string[] =>
    comment(number)
      .split('\n')
      .filter((row) => /^\| `(?!tests`)/.test(row));

  /** Uploads results as the CI job of the testing branch does. */
  async function upload(outcomes: Readonly<Record<string, 'passed' | 'failed'>>): Promise<void> {
    const { testBranch, testBranchSha } = (await world.details(1)) as Record<string, string>;
    await world.uploadTests(outcomes, { commit: testBranchSha!, branch: testBranch! });
  }

  it('are in the comment and the record, with their earlier state, the date of that state and their owners', async () => {
    await upload({ rings: 'failed', pays: 'failed', adds: 'passed' });
    await world.report(1, 'failure');
    expect(comment(1)).toContain('### Tests failed');
    expect(comment(1)).toContain('The reports of its last test run have 2 failed tests:');
    const { id: pays } = await world.prisma.testCase.findFirstOrThrow({ where: { name: 'pays' } });
    expect(rows(1)).toEqual([
      `| \`pays\` | not known to fail, [Quarantine…](https://sluice.example/ui/tests/${pays}?quarantine=always) |  |  |`,
      '| `rings` | flaky, quarantined | 2026-11-20 | `@acme/bells` |',
    ]);
    expect(comment(1)).toContain('\n\n`pays`:\n\n```text\nno\n```\n');
    expect(comment(1)).not.toContain('`rings`:\n');
    expect((await world.record(1)).stateMessage).toMatch(
      / Failed tests: "pays" \(not known to fail\), "rings" \(flaky, quarantined since 2026-11-20\)\. Push a fix, then submit it again\.$/,
    );
  });

  it('are in the answer of getMergeQueueTestingDetails', async () => {
    expect((await world.details(1)).failedTests).toBeNull();
    await upload({ rings: 'failed', adds: 'passed' });
    expect((await world.details(1)).failedTests).toEqual({
      total: 1,
      areMachinesLikely: false,
      tests: [
        {
          ...{ id: expect.any(String) as string, name: 'rings', classname: '', parent: '', file: '', variant: '' },
          ...{ status: 'flaky', quarantined: true, since: '2026-11-20T12:00:00.000Z', owners: ['@acme/bells'] },
        },
      ],
    });
  });

  it('are shown when the pull request merges in spite of them, because they are quarantined', async () => {
    await upload({ rings: 'failed' });
    await world.report(1, 'success');
    await world.advance(5);
    expect(comment(1)).toContain('### Merged');
    expect(rows(1)).toEqual(['| `rings` | flaky, quarantined | 2026-11-20 | `@acme/bells` |']);
  });

  it("do not include uploads for the pull request's own head, and are absent without uploads", async () => {
    const { head } = world.memory.pullRequest(1);
    await world.uploadTests({ pays: 'failed' }, { commit: head, pr_number: '1' });
    await world.report(1, 'failure');
    expect(comment(1)).toContain('### Tests failed');
    expect(comment(1)).not.toContain('failed test');
    expect((await world.record(1)).stateMessage).not.toContain('Failed tests');
  });

  it('do not cause further writes of the comment when more results are uploaded', async () => {
    await world.report(1, 'failure');
    const writes = shown.comment(1, MARKER)?.writes;
    await upload({ pays: 'failed' });
    await world.advance(5);
    expect(shown.comment(1, MARKER)?.writes).toBe(writes);
  });
});
