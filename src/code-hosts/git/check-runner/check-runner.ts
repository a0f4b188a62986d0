import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type CommitState, HostInbox } from '../../../domain/code-host.port';
import { Clock } from '../../../platform/clock/clock';
import { Config } from '../../../platform/config/config';
import { DatabaseOutage } from '../../../platform/database/database-outage';
import { newId } from '../../../platform/ids';
import { Background } from '../../../platform/lifecycle/background';
import { BackgroundJob } from '../../../platform/lifecycle/background-job';
import { Lifecycle } from '../../../platform/lifecycle/lifecycle';
import { isDiskFull } from '../../../platform/errors/machine-faults';
import { WorkPool } from '../../../platform/lifecycle/work-pool';
import { Wakeups } from '../../../platform/wakeups/wakeups';
import { GitHosts } from '../git-hosts';
import { type CheckFolder, rememberProcess } from './check-folder';
import type { CheckLimits } from './check-limits';
import { CheckModes } from '../check-modes';
import { CheckLog, runCheck, type CheckEnd } from './check-process';
import { CheckStore, type CheckState, type LeasedCheck } from './check-store';
import { checkOut } from './checkout';
import { clearAway, clearOrphans, type Confinement, makeFolderFor, programFor } from './confinement';
import { stackOf } from '../../../platform/errors/stack-of';

const AT_ONCE = 2;
const LOOK_EVERY_MS = 5_000;
const RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 5 * 60_000;
const MOST_ATTEMPTS = 10;

/** `refused`: git cannot check out this commit. */
type RunEnd = CheckEnd | { readonly type: 'refused'; readonly why: string };

const CONFINED = { 'own users': 'a user of its own', namespaces: 'namespaces of its own' };
const UNCONFINED =
  'The check runner is on, and checks are not confined: they can do what the service can. SLUICE_CHECK_RUNNER=unconfined accepts this risk.';

interface RunningCheck {
  readonly stop: AbortController;
  readonly log: CheckLog;
}

/**
 * Runs the checks of testing commits as commands on this machine. The runner is no sandbox, but it separates checks
 * from the service, from each other and from other repositories.
 */
@Injectable()
export class CheckRunner implements OnApplicationBootstrap {
  private readonly logger = new Logger(CheckRunner.name);
  private readonly name = newId();
  private readonly inProgress = new Map<string, RunningCheck>();
  private readonly pool = new WorkPool<LeasedCheck>({
    width: AT_ONCE,
    claim: (free) => this.store.claim(this.name, free, this.hosts.names(), this.clock.now()),
    carryOut: (check) => this.carryOut(check),
    report: (message, error) => this.outage.report(this.logger, message, error),
  });

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly outage: DatabaseOutage,
    private readonly store: CheckStore,
    private readonly modes: CheckModes,
    private readonly hosts: GitHosts,
    private readonly inbox: HostInbox,
    private readonly wakeups: Wakeups,
    private readonly background: Background,
    private readonly lifecycle: Lifecycle,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const mode = await this.modes.choose();
    if (mode.type === 'off') return;
    if (mode.type === 'refused') return this.logger.warn(`The check runner is off: ${mode.why}. ${mode.wayOut}.`);
    if (mode.confinement.type === 'none') this.logger.warn(UNCONFINED);
    else this.logger.log(`The check runner is on: every check has ${CONFINED[mode.confinement.type]}.`);
    if (this.background.isOn) await this.clearOrphans();
    this.wakeups.on('checks', () => this.wakeWorkers());
    this.lifecycle.onDrain('check runner', () => this.finish());
    // Checks of a killed process are continued at once.
    this.wakeWorkers();
  }

  private async clearOrphans(): Promise<void> {
    try {
      const removed = await clearOrphans();
      if (removed.length > 0) this.logger.log(`removed leftovers of a killed service: ${removed.join(', ')}`);
    } catch (error) {
      this.logger.warn(`could not remove leftovers of a killed service: ${stackOf(error)}`);
    }
  }

  @BackgroundJob({ name: 'checks', everyMs: LOOK_EVERY_MS })
  wakeWorkers(): void {
    if (this.modes.present.type !== 'runs') return;
    void this.renewLeases();
    if (this.background.isOn) this.pool.wake();
  }

  /** Runs all waiting checks to their end. */
  async drain(): Promise<void> {
    if (this.modes.present.type === 'runs') await this.pool.idle();
  }

  /** Stops the running checks, because they take minutes. Another process runs them again. */
  private async finish(): Promise<void> {
    for (const { stop } of this.inProgress.values()) stop.abort();
    await this.pool.finish();
  }

  /** Renews the leases, and stops checks that were cancelled or that another instance has taken over. */
  private async renewLeases(): Promise<void> {
    for (const [id, { stop, log }] of this.inProgress) {
      try {
        if ((await this.store.renew(id, this.name, log.toString(), this.clock.now())) === 'lost') stop.abort();
      } catch (error) {
        this.outage.report(this.logger, `The lease of check ${id} could not be renewed`, error, 'warn');
      }
    }
  }

  private async carryOut(check: LeasedCheck): Promise<void> {
    const held = { stop: new AbortController(), log: new CheckLog() };
    this.inProgress.set(check.id, held);
    // If the check was claimed after the service began to stop, `finish` has not stopped it.
    if (this.lifecycle.isStopping) held.stop.abort();
    try {
      await this.report(check, 'pending');
      const end = await this.run(check, held);
      // Another process may run the check again. For a cancelled check, `giveBack` changes nothing.
      if (end.type === 'stopped') return await this.store.giveBack(check.id, this.name, this.clock.now());
      await this.conclude(check, end, held.log);
    } catch (error) {
      await this.tryAgain(check, error, held.log);
    } finally {
      this.inProgress.delete(check.id);
    }
  }

  private async conclude(check: LeasedCheck, end: Exclude<RunEnd, { type: 'stopped' }>, log: CheckLog): Promise<void> {
    const state = stateOf(end);
    // The report comes first: if the process died after it stored the result, nobody would send the report.
    await this.report(check, state);
    const exitCode = end.type === 'exited' ? end.code : null;
    await this.store.conclude(check.id, this.name, { state, exitCode, log: log.toString() }, this.clock.now());
  }

  /** An error of the machine says nothing about the commit: only after many attempts, the check fails. */
  private async tryAgain(check: LeasedCheck, error: unknown, log: CheckLog): Promise<void> {
    const what = `Check ${check.name} on ${check.sha}`;
    if (this.outage.covers(error)) return this.store.giveBack(check.id, this.name, this.clock.now());
    if (check.attempts >= MOST_ATTEMPTS && !isDiskFull(error)) {
      this.logger.error(`${what} could not be run in ${check.attempts} attempts`, stackOf(error));
      const why = error instanceof Error ? error.message : String(error);
      return this.conclude(
        check,
        { type: 'refused', why: say(log, `could not be run in ${check.attempts} attempts: ${why}`) },
        log,
      );
    }
    this.logger.warn(`${what} will be tried again: ${stackOf(error)}`);
    const delay = Math.min(RETRY_MS * 2 ** (check.attempts - 1), LONGEST_RETRY_MS);
    await this.store.release(check.id, this.name, new Date(this.clock.now().getTime() + delay));
  }

  private async run(check: LeasedCheck, { stop, log }: RunningCheck): Promise<RunEnd> {
    const mode = await this.modes.choose();
    if (mode.type !== 'runs') throw new Error('The check runner is off');
    // The service died during every attempt, so no process could report the cause.
    if (check.attempts > MOST_ATTEMPTS) throw new Error('the service ended while it ran');
    const clone = await this.hosts.cloneOf(check.repository);
    const folder = await makeFolderFor(mode.confinement);
    try {
      const [commit] = await clone.commits([{ commit: check.sha }]);
      const unfetched = clone.whyNotFetched(check.sha);
      if (commit == null && unfetched === null) throw new Error(`The host does not have ${check.sha}`);
      const checkout =
        unfetched === null ? await checkOut(clone, check.sha, folder) : { type: 'refused' as const, why: unfetched };
      if (checkout.type === 'refused') return { type: 'refused', why: say(log, `not run: ${checkout.why}`) };
      return await this.runIn(folder, check, { stop, log }, mode.confinement);
    } finally {
      await this.clearAway(folder);
    }
  }

  private async runIn(
    folder: CheckFolder,
    { repository, command }: LeasedCheck,
    { stop, log }: RunningCheck,
    confinement: Confinement,
  ): Promise<CheckEnd> {
    const limits = this.limitsFor(repository.host);
    const program = programFor(confinement, folder, command, limits);
    const onStart = (pid: number): void => rememberProcess(folder.root, pid);
    const end = await runCheck({ folder, program, limits, signal: stop.signal, onStart }, log);
    if (end.type === 'timed_out') say(log, `stopped after ${limits.milliseconds / 1000} s`);
    if (end.type === 'over_limit') say(log, `stopped: it ${end.what}`);
    return end;
  }

  private limitsFor(host: string): CheckLimits {
    const { checkMemoryMib, checkProcesses, checkFileMib, checkOutputMib } = this.config;
    return {
      milliseconds: this.hosts.get(host).checkLimitMs,
      memoryMiB: checkMemoryMib,
      processes: checkProcesses,
      fileMiB: checkFileMib,
      outputMiB: checkOutputMib,
    };
  }

  /** Removes the check's folder. The result counts even if that fails; the next start tries again. */
  private async clearAway(folder: CheckFolder): Promise<void> {
    try {
      await clearAway(folder);
    } catch (error) {
      this.logger.error(`The check in ${folder.root} left files that cannot be removed`, stackOf(error));
    }
  }

  private async report(check: LeasedCheck, state: CommitState): Promise<void> {
    const hostTime = this.clock.now();
    // If both reports of a check have the same time, the higher id makes the result the later report.
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

function stateOf(end: Exclude<RunEnd, { type: 'stopped' }>): CheckState {
  if (end.type === 'timed_out') return 'timed_out';
  return end.type === 'exited' && end.code === 0 ? 'success' : 'failure';
}

/** Adds a line of the service's own words to the log of the command. */
function say(log: CheckLog, words: string): string {
  log.append(Buffer.from(`\n[${words}]\n`));
  return words;
}
