import { type Command, commandSubject } from '../../../src/engine/commands';
import type { QueueSnapshot, TestRun } from '../../../src/engine/model';
import { assertNever } from '../../../src/engine/vocabulary';
import { EngineDay } from '../../support/engine-day';
import type { Day, Deed } from './days';
import { told } from './engine-log';
import type { CiRun } from './model';
import type { OracleQueue } from './queue';
import { hotfixName } from './world';

/** A timeout so long that no test is overdue: time-outs are not modelled. */
const NEVER_MINUTES = 10_000_000;

/**
 * The real engine, living the same day as the oracle. The engine builds one candidate at a time and receives the
 * candidate later, so it takes several decisions for one move of the oracle. Therefore the twin carries out every
 * command after each deed, with two exceptions. A landing is a deed of its own. While a landing is in progress and
 * somebody has pushed to the target, no candidate can be built.
 */
export class EngineTwin {
  readonly engine: EngineDay;
  readonly log: string[] = [];
  private hotfixes = 0;

  constructor({ mode, settings, targets, world }: Day) {
    this.engine = new EngineDay({ ...settings, testingTimeoutMinutes: NEVER_MINUTES });
    // The oracle counts only minutes, so all commands together take no time.
    this.engine.commandTakes = 1;
    for (let number = 1; number <= targets.length; number++) {
      const others = world.conflicts.filter((pair) => pair.includes(number)).flat();
      this.engine.open(number, { head: '0', conflictsWith: others.filter((other) => other !== number) });
      this.engine.setTargets(number, targets[number - 1] ?? []);
    }
    this.engine.happen({ type: 'settingsChanged', settings: {}, mode, actor: 'ci' });
  }

  /** Does to the engine what the oracle is about to do. The oracle determines the object that `pick` chooses. */
  perform(deed: Deed, oracle: OracleQueue, test: CiRun | null): void {
    const said = this.engine.decisions.length;
    this.act(deed, oracle, test);
    this.carryOut();
    const changes = this.engine.decisions.slice(said).flatMap((decision) => decision.changes);
    this.log.push(...changes.map(told).filter((line) => line !== null));
  }

  private act(deed: Deed, oracle: OracleQueue, test: CiRun | null): void {
    const { engine } = this;
    switch (deed.type) {
      case 'submit':
        return void engine.submit(deed.number, { priority: deed.priority, noBatch: deed.noBatch });
      case 'resubmit':
      case 'prioritise': {
        const wishes = deed.type === 'prioritise' ? { priority: deed.priority } : {};
        return void (oracle.entries.has(deed.number) && engine.submit(deed.number, wishes));
      }
      case 'cancel':
        return void engine.cancel(deed.number);
      case 'restart':
        return void engine.restart(deed.number);
      case 'push':
        return this.push(deed.number, oracle.headAtHost(deed.number) + 1, deed.hostEvent);
      case 'mergeByHand':
        return oracle.mergedAtHost.has(deed.number) ? undefined : this.mergeByHand(deed.number);
      case 'targets':
        return void engine.setTargets(deed.number, deed.targets);
      case 'report':
        return test === null ? undefined : this.report(test);
      case 'land':
        return this.land(deed, oracle);
      case 'hotfix':
        return engine.pushToTarget(hotfixName(++this.hotfixes, deed.state));
      case 'set': {
        const { settings = {}, state, mode } = deed;
        return void engine.happen({ type: 'settingsChanged', settings, state, mode, actor: 'ci' });
      }
      case 'pass':
        return engine.advance(deed.minutes);
      default:
        return assertNever(deed);
    }
  }

  /** Pushes to the pull request, and gives the targets of the new head at once. */
  private push(number: number, head: number, hostEvent: 'heard' | 'missed'): void {
    const { store, host } = this.engine;
    const targets = store.targets.of(number, host.pullRequest(number).head);
    if (targets) store.giveTargets(number, String(head), targets);
    this.engine.change(number, { head: String(head) }, hostEvent);
  }

  private mergeByHand(number: number): void {
    const { head } = this.engine.host.pullRequest(number);
    this.engine.pushToTarget(`${number}@${head}`);
    this.engine.change(number, { state: 'merged' });
  }

  runOf(test: CiRun): TestRun | null {
    const isSame = (run: TestRun): boolean =>
      (run.search !== null) === 'search' in test.of && run.own.map((own) => own.number).join() === test.numbers.join();
    return this.engine.queue.runs.find((run) => run.phase === 'testing' && isSame(run)) ?? null;
  }

  private report(test: CiRun): void {
    const run = this.runOf(test);
    if (run !== null) this.engine.report(run, test.passes ? 'passed' : 'failed');
  }

  private land(deed: Extract<Deed, { type: 'land' }>, oracle: OracleQueue): void {
    const { engine } = this;
    const landed = oracle.landing?.runs.flatMap((run) => run.entries) ?? [];
    const refused = deed.answer === 'refused' ? landed[deed.pick % Math.max(1, landed.length)] : undefined;
    const pullRequest = refused && engine.host.pullRequest(refused.number);
    if (pullRequest) pullRequest.refusal = 'a rule of the host';
    const at = this.due().findIndex((command) => command.type === 'landRun');
    if (at >= 0) engine.act(at);
    if (pullRequest) delete pullRequest.refusal;
    engine.hear();
  }

  private carryOut(): void {
    while (this.engine.hear() || this.carryOutNext()) continue;
  }

  private carryOutNext(): boolean {
    const { engine } = this;
    if (engine.commands.every((command) => command.type === 'landRun')) return false;
    const { queue } = engine;
    this.forgetWhatEnded(queue);
    const isBlocked = queue.landing !== null && engine.host.tip().commit !== queue.tip?.commit;
    const mayBeDone = (command: Command): boolean =>
      command.type === 'stopTestRun' || (command.type === 'startTestRun' && (command.keepsBase || !isBlocked));
    const at = this.due().findIndex(mayBeDone);
    return at >= 0 && engine.act(at);
  }

  /** Drops start commands of runs that have ended, because they would still read pull requests. */
  private forgetWhatEnded(queue: QueueSnapshot): void {
    const { commands } = this.engine;
    const live = new Set(queue.runs.map((run) => run.number));
    const isOver = (command: Command): boolean => command.type === 'startTestRun' && !live.has(command.run);
    for (const command of commands.filter(isOver)) commands.splice(commands.indexOf(command), 1);
  }

  /** The commands that `EngineDay.act` may carry out next. */
  private due(): readonly Command[] {
    const subjects = this.engine.commands.map((command) => commandSubject('queue', command));
    return this.engine.commands.filter((_, i) => subjects.indexOf(subjects[i]!) === i);
  }
}
