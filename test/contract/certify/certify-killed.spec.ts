import { copyFileSync } from 'node:fs';
import { cleanUp } from '../../../src/cli/certify/certify';
import { testedServer } from '../../../src/cli/certify/servers/make-server';
import { readRunFile } from '../../../src/cli/certify/run-file';
import { STORIES } from '../../../src/cli/certify/stories/stories';
import type { GiteaDouble } from '../../support/gitea/gitea-double';
import { MockRun, worldOf } from './mock-runs';
import { inWholeCertification } from './whole-certification';

/** Rows that create every kind of object: repository, fork, renamed repository. */
const ROWS = STORIES.filter(
  ({ group, name }) =>
    /^(if the server does not know the token|the service pushes nothing to the old name of a renamed repository)/.test(
      name,
    ) ||
    (group === 'merging by squash' && name.startsWith('a pull request of a fork')),
);
const EVERY = 60;

type Loss = 'before it is done' | 'before its answer';

/** From the request with number `at` on, the mock answers no request. Calls `onKill` when that request arrives. */
function killAt(double: GiteaDouble, at: number, loss: Loss, onKill: () => void): { readonly count: () => number } {
  const take = double.faults.take.bind(double.faults);
  let count = 0;
  double.faults.take = (operation) => {
    count++;
    if (count < at) return take(operation);
    if (count === at) onKill();
    return [{ type: count === at && loss === 'before its answer' ? 'lose_answer' : 'disconnect' }];
  };
  return { count: () => count };
}

/** Adds objects of a team next to the objects of the run: names of the same form, and another repository. */
function addForeign({ double }: MockRun): void {
  double.createOrganization('sluice-certify-0a1b2c3d-org', ['root1']);
  double.createRepository('sluice-certify-0a1b2c3d-org', 'sluice-certify-0a1b2c3d-1');
  double.createRepository('acme', 'shop').openPullRequest({ '1.txt': '1\n' });
}

async function countRequests(rows: typeof STORIES): Promise<number> {
  const run = await MockRun.start();
  const { count } = killAt(run.double, Infinity, 'before it is done', () => undefined);
  await run.certify({ rows });
  await run.close();
  return count();
}

/**
 * Kills a run at this request. Returns the objects that the clean-up kept, and everything on the server before the run
 * and after the clean-up.
 */
async function killedAt(rows: typeof STORIES, at: number, loss: Loss): Promise<readonly unknown[]> {
  const run = await MockRun.start();
  addForeign(run);
  const before = worldOf(run.double);
  const asItWas = `${run.runFile}.killed`;
  const take = run.double.faults.take.bind(run.double.faults);
  killAt(run.double, at, loss, () => {
    // Copies the run file as the killed process would leave it. The run creates nothing before the run file exists.
    if (readRunFile(run.runFile) !== null) copyFileSync(run.runFile, asItWas);
  });
  await run.certify({ rows }).catch(() => undefined);
  run.double.faults.take = take;
  const server = await testedServer('gitea', run.double.gitUrl, run.token);
  const kept = readRunFile(asItWas) === null ? [] : await cleanUp(server, asItWas);
  const after = worldOf(run.double);
  await run.close();
  return [kept, before, after];
}

/** Kills a run at several requests: first after the given number of requests, and then at every `EVERY`th request. */
async function expectNothingLeft(rows: typeof STORIES, after: number): Promise<void> {
  const all = await countRequests(rows);
  expect(all).toBeGreaterThan(EVERY);
  for (let at = after + 1; at <= all; at += EVERY) {
    for (const loss of ['before it is done', 'before its answer'] as const) {
      const [kept, before, left] = await killedAt(rows, at, loss);
      expect([at, loss, kept, left]).toEqual([at, loss, [], before]);
    }
  }
}

describe('a run of sluice certify that is killed', () => {
  const behind = `and every ${EVERY}th after it`;

  it(`leaves nothing after --clean-up and changes nothing of other people (killed at the first request, ${behind})`, () =>
    expectNothingLeft(ROWS, 0));

  inWholeCertification(() => {
    const others = Array.from({ length: EVERY - 1 }, (_, index) => index + 1);
    it.each(others)(
      `leaves nothing after --clean-up and changes nothing of other people (killed at request %i+1, ${behind})`,
      (after) => expectNothingLeft(ROWS, after),
    );
  });
});

describe('the clean-up of sluice certify', () => {
  const killedWith = async (change: (run: MockRun) => void) => {
    const run = await MockRun.start();
    const rows = ROWS.slice(-1);
    const { runFile } = run;
    let isChanged = false;
    const take = run.double.faults.take.bind(run.double.faults);
    // The row has created its repository before it reads a pull request.
    run.double.faults.take = (operation) => {
      if (operation === 'repoGetPullRequest') isChanged = true;
      return isChanged ? [{ type: 'disconnect' }] : take(operation);
    };
    await run.certify({ rows }).catch(() => undefined);
    run.double.faults.take = take;
    change(run);
    const before = worldOf(run.double);
    const kept = await cleanUp(await testedServer('gitea', run.double.gitUrl, run.token), runFile);
    const left = readRunFile(runFile)?.left.map(({ kind }) => kind);
    return { run, kept, left, before };
  };

  const repositoryOf = ({ double }: MockRun) => [...double.state.repositories.values()][0]!;

  it('keeps a repository whose description somebody changed, and reports that', async () => {
    const { run, kept, left } = await killedWith((one) =>
      Object.assign(repositoryOf(one), { description: 'We took this over' }),
    );
    expect(kept.map(({ why }) => why)).toEqual([
      'its description does not have the marker of the run any more',
      expect.stringContaining('user still has ownership of repositories'),
    ]);
    expect([left, run.double.state.repositories.size]).toEqual([['organization', 'repository'], 1]);
    await run.close();
  });

  it('keeps a repository with the same name and another number', async () => {
    const { run, kept } = await killedWith((one) => Object.assign(repositoryOf(one), { id: 7 }));
    expect(kept[0]?.why).toMatch(/^another one has that name now: its number is 7, and the run made \d+$/);
    expect(run.double.state.repositories.size).toBe(1);
    await run.close();
  });

  it('may be repeated', async () => {
    const { run, kept } = await killedWith(() => undefined);
    expect(kept).toEqual([]);
    const server = await testedServer('gitea', run.double.gitUrl, run.token);
    expect(await cleanUp(server, run.runFile)).toEqual([]);
    expect(readRunFile(run.runFile)).toMatchObject({ left: [], isFinished: true });
    await run.close();
  });
});
