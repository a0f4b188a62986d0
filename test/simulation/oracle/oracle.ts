import { PRIORITIES, type QueueMode, type RequestableQueueState, URGENT } from '../../../src/engine/vocabulary';
import { restartPrefix } from './change-search';
import { hearPrefix } from './evaluate-search';
import { concludeLanding, type LandingAnswer } from './landing';
import { restartRun, takeOut } from './line';
import { type CiRun, type Entry, type LineRun, type Minutes, nameOf, type OracleSettings, type Targets } from './model';
import { isWaiting } from './pending';
import { OracleQueue, type QueueStart } from './queue';
import { settle } from './steps';
import { hearTarget, noteGreen } from './verdict';
import { hotfixName, type HotfixState } from './world';

export interface SubmitOptions {
  readonly priority?: number;
  readonly noBatch?: boolean;
  readonly targets: Targets;
}

export interface SettingsDeed {
  readonly settings?: Partial<OracleSettings>;
  readonly state?: RequestableQueueState;
  readonly mode?: QueueMode;
}

/**
 * A second implementation of the rules, for comparison with the engine: the same events must give the same outcome. The
 * oracle keeps everything in memory, knows the coming results of CI, and is written for a reader of the rules, not for
 * production. The oracle does not model readiness, direct merges, timeouts, and the reuse of results of equal trees.
 */
export class Oracle {
  readonly queue: OracleQueue;
  private hotfixes = 0;

  constructor(start: QueueStart) {
    this.queue = new OracleQueue(start);
  }

  /**
   * Handles a first submission, another attempt, or new options for a queued entry. Every submission reads the pull
   * request. If the submission reveals a push, the queue begins a new attempt instead of cancelling the entry.
   */
  submit(number: number, wishes: SubmitOptions): void {
    const { queue } = this;
    if (queue.mergedAtHost.has(number)) return;
    const known = this.open(number);
    if (known !== null) known.heard.head = queue.headAtHost(number);
    if (known === null) {
      this.enter(number, wishes);
    } else if (known.heard.head === known.head || known.run?.phase === 'landing') {
      wish(queue, known, wishes);
    } else {
      takeOut(queue, known);
      queue.leave(known, 'cancelled', 'pushed to');
      this.enter(number, wishes);
    }
    settle(queue);
  }

  cancel(number: number): void {
    const entry = this.open(number);
    if (entry === null || entry.run?.phase === 'landing') return;
    takeOut(this.queue, entry);
    this.queue.leave(entry, 'cancelled', 'asked for');
    settle(this.queue);
  }

  restart(number: number): void {
    const entry = this.open(number);
    if (entry?.search) {
      restartPrefix(this.queue, entry.search, entry);
      return settle(this.queue);
    }
    const run = entry?.run;
    if (run?.phase !== 'testing' && run?.phase !== 'passed' && run?.phase !== 'failed') return;
    restartRun(this.queue, run);
    settle(this.queue);
  }

  /**
   * Somebody pushes to the pull request. The queue receives the event now, or notices the push when it next reads the
   * pull request.
   */
  push(number: number, hostEvent: 'heard' | 'missed'): void {
    const head = this.queue.headAtHost(number) + 1;
    this.queue.hostHeads.set(number, head);
    const entry = this.open(number);
    if (entry === null || hostEvent === 'missed') return;
    entry.heard.head = head;
    settle(this.queue);
  }

  /**
   * Somebody merges the pull request manually. The queue learns of the new target before it learns of the merged pull
   * request.
   */
  mergeByHand(number: number): void {
    const { queue } = this;
    if (queue.mergedAtHost.has(number)) return;
    queue.mergedAtHost.add(number);
    queue.hostTarget.push(nameOf(number, queue.headAtHost(number)));
    settle(queue);
    const entry = this.open(number);
    if (entry !== null) entry.heard.isMerged = true;
    settle(queue);
  }

  hotfix(state: HotfixState): void {
    this.queue.hostTarget.push(hotfixName(++this.hotfixes, state));
    settle(this.queue);
  }

  /** Gives targets to the present head of the pull request. An entry with another head does not get them. */
  giveTargets(number: number, targets: Targets): void {
    const entry = this.queue.entries.get(number);
    if (entry?.head !== this.queue.headAtHost(number)) return;
    entry.targets = targets;
    const name = nameOf(number, entry.head);
    if (this.queue.landedTargets.has(name)) this.queue.landedTargets.set(name, targets);
    settle(this.queue);
  }

  /**
   * Changes settings, state or mode. While the queue switches its mode, a request with a third mode is refused as a
   * whole.
   */
  set({ settings = {}, state, mode }: SettingsDeed): void {
    const { queue } = this;
    const requested = queue.modeSwitch?.to ?? queue.mode;
    if (mode !== undefined && mode !== requested) {
      if (queue.modeSwitch !== null) return;
      queue.modeSwitch = { to: mode };
    }
    queue.settings = { ...queue.settings, ...settings };
    queue.state = state ?? queue.state;
    settle(queue);
  }

  pass(minutes: Minutes): void {
    this.queue.minute += minutes;
    settle(this.queue);
  }

  /**
   * CI reports a result. The result of a stopped test is ignored. If the run is landing, its result is evaluated after
   * the landing.
   */
  report(test: CiRun): void {
    const { queue } = this;
    if ('line' in test.of && test.of.line.phase === 'landing') return;
    if (!queue.tests.delete(test.id)) return;
    const result = test.passes ? 'passed' : 'failed';
    queue.say(`  test ${test.id} of [${test.numbers.join(' ')}] ${result}`);
    if (test.passes) {
      queue.passedTrees.add(test.tree.join(' '));
      noteGreen(queue, test);
    }
    if ('control' in test.of) {
      hearTarget(queue, result);
    } else if ('line' in test.of) {
      const { line: run } = test.of;
      Object.assign(run, {
        test: null,
        testedTree: test.tree,
        testBegan: test.began,
        isRedButProven: !test.passes,
      } satisfies Partial<LineRun>);
      if (test.passes) run.phase = 'passed';
    } else {
      hearPrefix(queue, test.of, test);
    }
    settle(queue);
  }

  /** The host answers the request for the landing in progress. */
  land(answer: LandingAnswer): void {
    concludeLanding(this.queue, answer);
    settle(this.queue);
  }

  private enter(number: number, { priority = PRIORITIES.medium, noBatch = false, targets }: SubmitOptions): void {
    const { queue } = this;
    const head = queue.headAtHost(number);
    const entry: Entry = {
      number,
      head,
      submittedOrder: queue.nextNumber(),
      heard: { head, isMerged: false },
      priority,
      noBatch,
      targets,
      where: 'waiting',
      waitingSince: queue.minute,
      returnedOrder: 0,
      group: 0,
      batchAtMost: Infinity,
      timesAcquitted: 0,
      redRebuiltAt: null,
      run: null,
      search: null,
      conclusion: null,
    };
    queue.entries.set(number, entry);
  }

  private open(number: number): Entry | null {
    const entry = this.queue.entries.get(number);
    return entry === undefined || entry.where === 'out' ? null : entry;
  }
}

/**
 * Applies options to an entry; absent options change nothing. If an entry in the sequence becomes urgent before its
 * test, it moves to the front. If an entry becomes urgent during its test, only its turn changes, which matters if the
 * entry waits outside the sequence again.
 */
function wish(
  queue: OracleQueue,
  entry: Entry,
  { priority = entry.priority, noBatch = entry.noBatch }: SubmitOptions,
): void {
  const isRaised = priority === URGENT && entry.priority !== URGENT;
  Object.assign(entry, { priority, noBatch } satisfies Partial<Entry>);
  if (!isRaised || entry.where !== 'line' || !isWaiting(entry)) return;
  takeOut(queue, entry);
  Object.assign(entry, { where: 'waiting', run: null } satisfies Partial<Entry>);
}
