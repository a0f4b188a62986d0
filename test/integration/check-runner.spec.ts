import { Lifecycle } from '../../src/platform/lifecycle/lifecycle';
import { World } from '../support/world';

const CONFIG = '.sluice/sluice.yaml';
const REQUIRED = 'merge:\n  required_statuses: [test]\n';

describe('The built-in check runner', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create({ host: 'git', settings: { checkRunner: 'unconfined' } });
    await world.createQueue();
  });

  afterEach(() => world.close());

  /**
   * Puts the command into the configuration file on the target. Every change is tested with its own version of the
   * file.
   */
  function askFor(command: string): void {
    world.git.pushTo('main', { [CONFIG]: `${REQUIRED}ci:\n  test: ${JSON.stringify(command)}\n` });
  }

  const only = () => world.prisma.checkRun.findFirstOrThrow();

  it('runs the command on the files of the testing commit; if the command passes, the pull request merges', async () => {
    askFor('test -f README.md && test "$(cat one.txt)" = one && ! test -e .git');
    world.git.openPullRequest(1, { 'one.txt': 'one\n' });
    await world.submit(1);
    await world.settles();
    expect(await world.stateOf(1)).toBe('merged');
    expect(await only()).toMatchObject({ name: 'test', state: 'success', exitCode: 0, leasedBy: null });
  });

  it('fails a commit if the command fails, and keeps the output of the command', async () => {
    askFor('echo "1 of 3 failed"; exit 1');
    world.git.openPullRequest(1, { 'one.txt': 'one\n' });
    await world.submit(1);
    await world.settles();
    expect(await world.stateOf(1)).toBe('failed');
    const { id, log } = await only();
    expect(log).toBe('1 of 3 failed\n');
    const details = await world.api.post('getMergeQueueTestingDetails', {
      repo: world.repo,
      targetBranch: 'main',
      pr: { number: 1 },
    });
    expect(JSON.stringify(details.body)).toContain(`/v1/checkRuns/${id}/log`);
  });

  it('runs the command of the pull request itself, which cannot choose the required statuses', async () => {
    askFor('exit 1');
    world.git.openPullRequest(1, { [CONFIG]: 'ci:\n  test: "true"\n' });
    await world.submit(1);
    await world.settles();
    expect(await world.stateOf(1)).toBe('merged');
  });

  it('runs nothing for a pull request that makes the configuration file unreadable, and the failure names the line', async () => {
    askFor('true');
    world.git.openPullRequest(1, { [CONFIG]: 'ci: [\n' });
    await world.submit(1);
    await world.settles();
    expect(await world.record(1)).toMatchObject({
      stateReason: 'start_test_run_config_parsing_failure',
      stateMessage: expect.stringMatching(/is not valid YAML: .* at line \d/) as string,
    });
    expect(await world.prisma.checkRun.count()).toBe(0);
  });

  it('gives the command no variable of the service, and folders of its own for output', async () => {
    askFor('env; touch here "$HOME/there" "$TMPDIR/there"; test "$HOME" != "$TMPDIR"');
    world.git.openPullRequest(1, { 'one.txt': 'one\n' });
    await world.submit(1);
    await world.settles();
    const { log, state } = await only();
    expect(state).toBe('success');
    expect(log).not.toMatch(/DATABASE_URL|SLUICE_|SSH_AUTH_SOCK|postgres/);
  });

  /** Runs a check, changes its row, and runs it again. */
  async function runAgainWith(data: object): Promise<void> {
    askFor('true');
    world.git.openPullRequest(1, { 'one.txt': 'one\n' });
    await world.submit(1);
    await world.settles();
    const anew = { state: 'queued', endedAt: null, exitCode: null, attempts: 0 };
    await world.prisma.checkRun.updateMany({ data: { ...anew, ...data } });
    await world.settles();
  }

  it("attack 8: fails a commit at once if git cannot check it out, with git's message", async () => {
    const sha = world.git.openPullRequest(2, { ['x'.repeat(300)]: 'x\n' });
    await runAgainWith({ sha });
    const { state, attempts, log } = await only();
    expect({ state, attempts }).toEqual({ state: 'failure', attempts: 1 });
    expect(log).toMatch(/not run: git checkout-index ended with .*File name too long/);
  });

  it('tries again after growing waits, but not without a limit, if an error is not about the commit', async () => {
    await runAgainWith({ sha: 'f'.repeat(40) });
    const in15Seconds = new Date(world.clock.now().getTime() + 15_000);
    expect(await only()).toMatchObject({ state: 'running', leasedBy: null, leaseUntil: in15Seconds, attempts: 1 });
    for (let attempt = 2; attempt <= 9; attempt++) await world.advance(6);
    expect(await only()).toMatchObject({ state: 'running', attempts: 9 });
    world.clock.advance(6 * 60_000);
    expect(await world.settlesWithErrors()).toEqual([expect.stringContaining('could not be run in 10 attempts')]);
    expect(await only()).toMatchObject({
      state: 'failure',
      log: expect.stringContaining('The host does not have fff') as string,
    });
  });

  it('attack 8: gives up a check if the service died during each of its attempts', async () => {
    await runAgainWith({ attempts: 10 }).catch(() => undefined);
    expect(await only()).toMatchObject({
      state: 'failure',
      log: expect.stringContaining('could not be run in 11 attempts: the service ended while it ran') as string,
    });
  });

  it('runs the checks of a dead process again, once the lease of that process is over', async () => {
    askFor('echo again');
    world.git.openPullRequest(1, { 'one.txt': 'one\n' });
    await world.submit(1);
    await world.settles();
    const dead = { state: 'running', leasedBy: 'another', endedAt: null, exitCode: null, log: '' };
    const leaseUntil = new Date(world.clock.now().getTime() + 60_000);
    await world.prisma.checkRun.updateMany({ data: { ...dead, leaseUntil } });
    await world.settles();
    expect(await only()).toMatchObject({ state: 'running', leasedBy: 'another' });
    await world.advance(2);
    expect(await only()).toMatchObject({ state: 'success', log: 'again\n' });
  });

  /** Starts a check that never ends. The returned promise resolves after the check was stopped. */
  async function startLongCheck(): Promise<{ readonly stopped: Promise<void> }> {
    askFor('sleep 300');
    world.git.openPullRequest(1, { 'one.txt': 'one\n' });
    await world.submit(1);
    const stopped = world.settles();
    while ((await world.prisma.checkRun.count({ where: { state: 'running' } })) === 0) await Promise.resolve();
    return { stopped };
  }

  it('hands a check back when the service stops, so that another instance runs it at once', async () => {
    const { stopped } = await startLongCheck();
    await world.app.get(Lifecycle).drain();
    // This instance never becomes idle, because another instance does the work that is due.
    await Promise.allSettled([stopped]);
    const { state, leasedBy, leaseUntil } = await only();
    expect({ state, leasedBy, leaseUntil }).toEqual({
      state: 'running',
      leasedBy: null,
      leaseUntil: world.clock.now(),
    });
  });

  it('stops the checks of a test run that ends', async () => {
    const { stopped } = await startLongCheck();
    await world.cancel(1);
    await world.settles();
    await stopped;
    expect(await only()).toMatchObject({ state: 'cancelled' });
  });
});
