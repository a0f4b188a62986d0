import { EventEmitter, once } from 'node:events';
import { runSluice } from '../../src/cli/run-sluice';
import type { Terminal } from '../../src/cli/terminal';
import { createToken } from '../../src/platform/auth/tokens';
import { World } from '../support/world';

const REPOSITORY = 'memory.example/acme/widgets';

/** Runs a command, which must succeed. Returns its output. */
async function sluice(...args: string[]): Promise<string> {
  const said = { out: '', err: '' };
  const terminal: Terminal = {
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
    columns: undefined,
  };
  const exit = await runSluice(args, terminal);
  if (exit !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${exit}: ${said.err}`);
  return said.out;
}

function fail(text: string): never {
  throw new Error(text);
}

describe('sluice', () => {
  let world: World;
  let base: string;

  beforeAll(async () => {
    world = await World.create({ host: 'memory' });
    process.env.SLUICE_URL = world.url;
    const request = { organizationSlug: 'acme', name: 'reader', role: 'read' } as const;
    process.env.SLUICE_TOKEN = (await createToken(world.prisma, request, world.clock.now())).token;
    const { body } = await world.api.post('listQueues', {});
    expect(body).toEqual({ queues: [] });
    await world.createQueue({ requiredStatuses: ['tests'], concurrency: 2 });
    base = world.memory.tip('main').commit.slice(0, 8);
    world.memory.openPullRequest(3, { title: 'Ring the \u001b[2J\u0007 bell' });
    for (const number of [1, 2, 3]) {
      if (number < 3) world.memory.openPullRequest(number);
      await world.submit(number);
      await world.settles();
    }
    await world.advance(6);
  });

  afterAll(async () => {
    delete process.env.SLUICE_URL;
    delete process.env.SLUICE_TOKEN;
    await world.close();
  });

  it('queue list prints each queue on one line', async () => {
    const lines = (await sluice('queue', 'list')).split('\n');
    expect(lines[1]).toMatch(/^memory\.example\/acme\/widgets +main +running +2 +1 +0 +0 +0 +unknown yet$/);
    expect(JSON.parse(await sluice('queue', 'list', '--repo', REPOSITORY, '--json'))).toMatchObject({
      queues: [{ targetBranch: 'main', inHandCount: 2, waitingCount: 1 }],
    });
  });

  it('queue show draws the runs as trees, and each waiting pull request with its reason', async () => {
    const said = await sluice('queue', 'show', REPOSITORY);
    expect(said).toContain(`run 1 testing: main ${base} + [#1]\n`);
    expect(said).toContain(`run 2 testing: main ${base} + #1 + [#2]\n`);
    expect(said).toContain('tests missing (6 min)');
    expect(said).toContain(String((await world.record(3)).waitingFor));
    expect(said).toContain('Waiting: 1, not ready: 0');
  });

  it('attack 13: a title cannot control the terminal, and is complete in JSON', async () => {
    expect(await sluice('queue', 'show', REPOSITORY)).toContain('Ring the \ufffd[2J\ufffd bell');
    const { pullRequests } = JSON.parse(await sluice('queue', 'show', REPOSITORY, '--json')) as {
      pullRequests: { prTitle: string }[];
    };
    expect(pullRequests.map(({ prTitle }) => prTitle)).toContain('Ring the \u001b[2J\u0007 bell');
  });

  it('explain says what a pull request waits for, what has happened and how long each step took', async () => {
    await world.report(1, 'failure');
    await world.settles();
    const second = await sluice('explain', REPOSITORY, '2');
    expect(second).toContain('  6 min in wasted tests\n');
    expect(second).toContain('    run 2, 6 min, because of #1\n');
    expect(second).toContain('It is tested again, because #1 failed.');
    expect(second).toContain(String((await world.record(2)).waitingFor));
    const first = await sluice('explain', REPOSITORY, '1');
    expect(first).toContain('      red: tests\n');
    expect(first).toContain(String((await world.record(1)).stateMessage));
  });

  it('queue watch draws the queue, and ends with --until-empty when the queue is empty', async () => {
    for (const number of [2, 3]) await world.cancel(number);
    await world.settles();
    const drawn = (await sluice('queue', 'watch', REPOSITORY, '--until-empty', '--json')).trim().split('\n');
    expect(drawn.map((line) => (JSON.parse(line) as { runs: unknown[] }).runs)).toEqual([[]]);
  });

  it('queue history prints one line per day, and the reasons why pull requests left the queue', async () => {
    const lines = (await sluice('queue', 'history', REPOSITORY, '--days', '7')).split('\n');
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d +0 +1 +2 +- +- +\d+ +-$/);
    expect(lines[2]).toMatch(/^together +0 +1 +2 /);
    expect(lines).toContain('1 left unmerged: test_run_required_status_failed');
  });

  it('queue flaky-costs lists runs that failed although their tree passed', async () => {
    expect(await sluice('queue', 'flaky-costs', REPOSITORY)).toContain(
      'Nothing: no test run failed on code that passed',
    );
    await world.submit(1);
    await world.settles();
    await world.report(1, 'success');
    const lines = (await sluice('queue', 'flaky-costs', REPOSITORY, '--days', '7')).split('\n');
    expect(lines[1]).toMatch(/^together +1 +\d+ min +1$/);
    expect(lines).toContain('1 of the runs have no uploaded test results');
  });

  it('queue watch draws the queue again when the queue changes', async () => {
    await world.submit(2);
    await world.settles();
    const drawn = new EventEmitter();
    const terminal = { out: (text: string) => drawn.emit('picture', JSON.parse(text)), err: fail, columns: undefined };
    const next = async () => ((await once(drawn, 'picture')) as { runs: unknown[] }[])[0]!.runs.length;
    const first = next();
    const exit = runSluice(['queue', 'watch', REPOSITORY, '--until-empty', '--json'], terminal);
    expect(await first).toBe(1);
    const last = next();
    await world.cancel(2);
    await world.settles();
    expect(await last).toBe(0);
    expect(await exit).toBe(0);
  });
});
