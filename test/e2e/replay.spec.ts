import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSluice } from '../../src/cli/run-sluice';
import type { QueueHistory } from '../../src/processing/replay/history';
import { Replay } from '../../src/processing/replay/replay';
import { createToken } from '../../src/platform/auth/tokens';
import { World } from '../support/world';

interface Figures {
  readonly merged: number;
  readonly failed: number;
  readonly testRuns: number;
  readonly failedWrongly: number;
  readonly timeToMerge: { readonly p50Seconds: number } | null;
}

interface Preview {
  readonly asItWas: Figures;
  readonly asItIs: Figures;
  readonly asItWouldBe: Figures;
  readonly tests: { readonly tested: number; readonly concluded: number; readonly assumed: number };
  readonly reproduced: { readonly same: number; readonly of: number };
  readonly leftOut: readonly string[];
}

async function sluice(...args: string[]) {
  const said = { out: '', err: '' };
  const out = (text: string): void => void (said.out += text);
  const err = (text: string): void => void (said.err += text);
  return { exit: await runSluice(args, { out, err, columns: undefined }), ...said };
}

describe('a queue whose history is replayed, on real git', () => {
  let world: World;
  const begin = async (): Promise<void> => {
    world = await World.create({ host: 'git' });
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 1 });
  };
  const end = () => world.close();

  const queue = () => ({ repo: world.repo, targetBranch: 'main' });
  const previewed = (settings: object = {}) =>
    world.api.mustPost<Preview>('previewSettings', { ...queue(), ...settings });

  async function submitted(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      world.git.openPullRequest(number, { [`${number}.txt`]: `${number}\n` });
      expect((await world.submit(number)).status).toBe(200);
    }
    await world.settles();
  }

  /** Six pull requests: the third fails, somebody pushes to the target, and the fifth is cancelled. */
  async function aDay(): Promise<void> {
    await submitted(1, 2, 3, 4);
    for (const [number, state] of [
      [1, 'success'],
      [2, 'success'],
      [3, 'failure'],
      [4, 'success'],
    ] as const) {
      await world.advance(10);
      await world.report(number, state);
    }
    await world.advance(60);
    await submitted(5, 6);
    await world.advance(2);
    world.git.pushTo('main', { 'outside.txt': 'pushed\n' });
    await world.looksAtHost();
    await world.cancel(5);
    await world.settles();
    await world.advance(10);
    await world.report(6, 'success');
  }

  async function rows(): Promise<unknown> {
    const { prisma } = world;
    return [await prisma.queue.findMany(), await prisma.queueLog.count(), await prisma.outboxTask.count()];
  }

  const signIn = async (): Promise<void> => {
    process.env.SLUICE_URL = world.url;
    const request = { organizationSlug: world.repo.owner, name: 'ann', role: 'admin' } as const;
    process.env.SLUICE_TOKEN = (await createToken(world.prisma, request, world.clock.now())).token;
  };
  const signOut = (): void => {
    delete process.env.SLUICE_URL;
    delete process.env.SLUICE_TOKEN;
  };
  const repository = () => `${world.repo.host}/${world.repo.owner}/${world.repo.name}`;

  describe('over a day', () => {
    beforeAll(async () => {
      await begin();
      await aDay();
    });
    afterAll(end);

    it("has the results that really happened, with the queue's own settings", async () => {
      const { asItWas, asItIs, asItWouldBe, reproduced, leftOut, tests } = await previewed();
      expect(asItWas).toMatchObject({ merged: 4, failed: 1, cancelled: 1, failedWrongly: 0 });
      expect(asItIs).toEqual(asItWas);
      expect(asItWouldBe).toEqual(asItWas);
      expect(reproduced).toEqual({ same: 6, of: 6 });
      // Two tests were stopped, one by the push to the target, and one by the cancellation.
      expect(tests).toEqual({ tested: asItWas.testRuns - 2, concluded: 0, assumed: 0 });
      expect(leftOut).toEqual([]);
    });

    it('merges sooner when pull requests are tested in batches, and reports assumed results', async () => {
      const { asItIs, asItWouldBe, tests } = await previewed({
        batch: true,
        batchingMinSize: 2,
        batchingMaxWaitTimeMinutes: 1,
      });
      expect(asItWouldBe).toMatchObject({ merged: 4, failed: 1, failedWrongly: 0 });
      expect(asItWouldBe.timeToMerge!.p50Seconds).toBeLessThan(asItIs.timeToMerge!.p50Seconds);
      // Pull requests 3 and 4 were never tested together, but 3 failed in isolation.
      expect(tests.concluded).toBeGreaterThan(0);
    });

    it('changes nothing in the database', async () => {
      const before = await rows();
      await previewed({ concurrency: 5 });
      expect(await rows()).toEqual(before);
    });

    it('can be replayed on another machine, also with anonymous names', async () => {
      const history = await world.api.mustPost<QueueHistory>('getQueueHistory', queue());
      const hidden = await world.api.mustPost<QueueHistory>('getQueueHistory', { ...queue(), anonymous: true });
      const endsOf = (from: QueueHistory): readonly string[] => {
        const replay = new Replay(from, { settings: {} }, () => []);
        while (!replay.advance(100)) continue;
        return replay.course.ends.map(({ end, reason }) => `${end} ${reason}`);
      };
      expect(endsOf(hidden)).toEqual(endsOf(history));
      expect(endsOf(history)).toHaveLength(6);
      expect(JSON.stringify(hidden)).not.toContain(history.ends[0]!.head);
    });

    describe('by sluice replay', () => {
      const folder = mkdtempSync(join(tmpdir(), 'replay-'));
      afterAll(() => rmSync(folder, { recursive: true }));
      beforeAll(signIn);
      afterAll(signOut);

      it('shows the real and the replayed results side by side', async () => {
        const { exit, out } = await sluice('replay', repository(), '--set', 'batch=true', '--set', 'batchingMinSize=2');
        expect(exit).toBe(0);
        expect(out).toMatch(/^merged +4 +4 +4$/m);
        expect(out).toContain('6 of 6 pull requests end in the column "as it is" as they did in the history.');
      });

      it('writes a history, also with anonymous names, that gives the same result without the service', async () => {
        const settings = ['--set', 'concurrency=4'];
        const asked = await sluice('replay', repository(), ...settings);
        for (const how of [[], ['--anonymous']]) {
          const file = join(folder, `history${how.length}.json`);
          const written = await sluice('replay', repository(), '--export', file, ...how);
          expect(written.out).toContain(`Wrote ${file}: 6 pull requests that ended, `);
          const replayed = await sluice('replay', '--from', file, ...settings);
          const figures = (text: string): string => text.split('\n').slice(1).join('\n');
          expect([replayed.exit, figures(replayed.out)]).toEqual([0, figures(asked.out)]);
        }
        const [open, hidden] = [0, 1].map((i) => readFileSync(join(folder, `history${i}.json`), 'utf8'));
        const { head } = (JSON.parse(open!) as QueueHistory).ends[0]!;
        expect([open!.includes(head), hidden!.includes(head)]).toEqual([true, false]);
      });
    });
  });

  describe('whose history begins or ends with work in progress', () => {
    beforeEach(begin);
    afterEach(end);

    it('names what is still running when the history ends', async () => {
      await submitted(1);
      await world.advance(10);
      const { asItWas, asItIs, leftOut } = await previewed();
      expect(asItIs).toEqual(asItWas);
      expect(leftOut).toEqual(['When the history ends, 1 test run was under way: how it ended is left out.']);
    });

    it('knows the contents of entries that wait when the history begins', async () => {
      await world.updateQueue({ state: 'paused' });
      const one = world.git.openPullRequest(1, { 'one.txt': '1\n' });
      const two = world.git.commitTo('refs/heads/two', one, { 'two.txt': '2\n' });
      world.git.setPullRequest(2, two);
      for (const number of [1, 2]) await world.submit(number);
      // The time after which a replay does not search back to the time when the queue was empty.
      await world.advance(9 * 24 * 60);
      await submitted(3);
      const since = world.clock.now().toISOString();
      await world.advance(24 * 60 + 1);
      await submitted(4);
      const { happenings } = await world.api.mustPost<QueueHistory>('getQueueHistory', { ...queue(), since });
      const submissions = happenings.flatMap((happening) =>
        happening.type === 'event' && happening.event.type === 'pullRequestSubmitted' ? [happening.event] : [],
      );
      expect(submissions.map(({ facts }) => facts.number)).toEqual([1, 2, 3, 4]);
      expect(submissions[1]).toMatchObject({ facts: { head: two }, commits: [one] });
      const { leftOut } = await previewed({ since });
      expect(leftOut.join(' ')).toContain('with 2 in the queue: the replay treats them as submitted at that time');
    });

    describe('by sluice replay', () => {
      beforeEach(signIn);
      afterEach(signOut);

      it('says why there is no history to replay', async () => {
        const { exit, err } = await sluice('replay', repository());
        expect(exit).not.toBe(0);
        expect(err).toContain('has nothing to replay yet');
      });
    });

    it('refuses contradictory settings, and names these settings', async () => {
      await submitted(1);
      const answer = await world.api.post('previewSettings', { ...queue(), scheduling: 'flow' });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain('canOptimisticallyMerge');
    });

    it('says if nothing has happened in the queue yet', async () => {
      const answer = await world.api.post('previewSettings', queue());
      expect([answer.status, answer.body]).toMatchObject([404, { error: { code: 'NO_HISTORY' } }]);
    });

    it('is for administrators of the queue only', async () => {
      const reader = await world.client('submit');
      expect((await reader.post('previewSettings', queue())).status).toBe(403);
      expect((await reader.post('getQueueHistory', queue())).status).toBe(403);
    });
  });
});
