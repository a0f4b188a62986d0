import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type CommitState, HostInbox } from '../../../domain/code-host.port';
import { Clock } from '../../../platform/clock/clock';
import { childEnvironment } from '../../../platform/config/child-environment';
import { Config } from '../../../platform/config/config';
import { newId } from '../../../platform/ids';
import { Background } from '../../../platform/lifecycle/background';
import { BackgroundJob } from '../../../platform/lifecycle/background-job';
import { Lifecycle } from '../../../platform/lifecycle/lifecycle';
import { stackOf, WorkPool } from '../../../platform/lifecycle/work-pool';
import { Wakeups } from '../../../platform/wakeups/wakeups';
import { GitHosts } from '../git-hosts';
import { CheckStore, type CheckState, type LeasedCheck } from './check-store';
import { rememberProcess, removeOrphans } from './check-folder';
import { CheckLog, runCheck, type CheckEnd } from './check-process';
import { type Checkout, checkOut, userForChecks } from './checkout';

const AT_ONCE = 2;
const LOOK_EVERY_MS = 5_000;
const RETRY_MS = 15_000;

interface InHand {
  readonly stop: AbortController;
  readonly log: CheckLog;
}

/**
 * Runs the checks of testing commits as commands on this machine. It is no sandbox: it protects only the secrets and the
 * user of the service.
 */
@Injectable()
export class CheckRunner implements OnApplicationBootstrap {
  private readonly logger = new Logger(CheckRunner.name);
  private readonly name = newId();
  private readonly inHand = new Map<string, InHand>();
  private readonly pool = new WorkPool<LeasedCheck>({
    name: CheckRunner.name,
    width: AT_ONCE,
    claim: (free) => this.store.claim(this.name, free, this.hosts.names(), this.clock.now()),
    carryOut: (check) => this.carryOut(check),
  });

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly store: CheckStore,
    private readonly hosts: GitHosts,
    private readonly inbox: HostInbox,
    private readonly wakeups: Wakeups,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.checkRunner === 'off') return;
    if (this.background.isOn) await this.removeOrphans();
    this.wakeups.on('checks', () => this.wakeWorkers());
    this.lifecycle.onDrain('check runner', () => this.finish());
    // Takes up at once what a killed process left.
    this.wakeWorkers();
  }

  private async removeOrphans(): Promise<void> {
    try {
      const removed = await removeOrphans();
      if (removed.length > 0) this.logger.log(`removed what a killed service left: ${removed.join(', ')}`);
    } catch (error) {
      this.logger.warn(`could not remove what a killed service left: ${stackOf(error)}`);
    }
  }

  @BackgroundJob({ name: 'checks', everyMs: LOOK_EVERY_MS })
  wakeWorkers(): void {
    if (this.config.checkRunner === 'off') return;
    void this.renewLeases();
    if (this.background.isOn) this.pool.wake();
  }

  /** Runs all waiting checks to their end. */
  async drain(): Promise<void> {
    if (this.config.checkRunner === 'on') await this.pool.idle();
  }

  /** Checks take minutes, so a stop does not wait for them: another process runs them again. */
  private async finish(): Promise<void> {
    for (const { stop } of this.inHand.values()) stop.abort();
    await this.pool.finish();
  }

  /** Stops checks that were cancelled or that another instance has taken over. */
  private async renewLeases(): Promise<void> {
    for (const [id, { stop, log }] of this.inHand) {
      try {
        if ((await this.store.renew(id, this.name, log.toString(), this.clock.now())) === 'lost') stop.abort();
      } catch (error) {
        this.logger.warn(`The lease of check ${id} could not be renewed: ${stackOf(error)}`);
      }
    }
  }

  private async carryOut(check: LeasedCheck): Promise<void> {
    const held = { stop: new AbortController(), log: new CheckLog() };
    this.inHand.set(check.id, held);
    // It was claimed while the service began to stop, and `finish` has not seen it.
    if (this.lifecycle.isStopping) held.stop.abort();
    try {
      await this.report(check, 'pending');
      const end = await this.run(check, held);
      // Another process may run it again. A cancelled check is not changed by this.
      if (end.type === 'stopped') return await this.store.release(check.id, this.name, this.clock.now());
      const state = stateOf(end);
      // Reported before it is stored: a check that is concluded but not reported would keep its run waiting for ever.
      await this.report(check, state);
      const exitCode = end.type === 'exited' ? end.code : null;
      await this.store.conclude(check.id, this.name, { state, exitCode, log: held.log.toString() }, this.clock.now());
    } catch (error) {
      this.logger.warn(`Check ${check.name} on ${check.sha} will be tried again: ${stackOf(error)}`);
      await this.store.release(check.id, this.name, new Date(this.clock.now().getTime() + RETRY_MS));
    } finally {
      this.inHand.delete(check.id);
    }
  }

  private async run(check: LeasedCheck, { stop, log }: InHand): Promise<CheckEnd> {
    const clone = await this.hosts.cloneOf(check.repository);
    await clone.commits([{ commit: check.sha }]);
    const user = await userForChecks();
    const checkout = await checkOut(clone, check.sha, user);
    try {
      const limitMs = this.hosts.get(check.repository.host).checkLimitMs;
      const env = environmentOf(checkout);
      const onStart = (pid: number): void => rememberProcess(checkout.root, pid);
      const { folder } = checkout;
      const asked = { command: check.command, folder, env, user, limitMs, signal: stop.signal, onStart };
      const end = await runCheck(asked, log);
      if (end.type === 'timed_out') log.append(Buffer.from(`\n[stopped after ${limitMs / 1000} s]\n`));
      return end;
    } finally {
      await checkout.remove();
    }
  }

  private async report(check: LeasedCheck, state: CommitState): Promise<void> {
    const hostTime = this.clock.now();
    // When both reports have the same time, the higher id makes the result the later one.
    const hostId = `${state === 'pending' ? 1 : 2}-${check.id}`;
    await this.inbox.append(check.repository.host, `check:${hostId}:${hostTime.getTime()}`, {
      type: 'status_reported',
      report: {
        repositoryId: check.repository.id,
        sha: check.sha,
        kind: 'status',
        name: check.name,
        state,
        hostTime,
        hostId,
        url: `${this.config.publicUrl}/v1/checkRuns/${check.id}/log`,
        description: state === 'pending' ? 'Running' : null,
      },
    });
  }
}

function stateOf(end: Exclude<CheckEnd, { type: 'stopped' }>): CheckState {
  if (end.type === 'timed_out') return 'timed_out';
  return end.code === 0 ? 'success' : 'failure';
}

/** Checks get no other variables of the service, such as its ssh agent or its folders. */
function environmentOf({ home }: Checkout): Record<string, string> {
  return { PATH: childEnvironment().PATH ?? '/usr/bin:/bin', HOME: home, TMPDIR: home, CI: 'true' };
}
