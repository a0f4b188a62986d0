import type { QueueMode, RequestableQueueState } from '../../../src/engine/vocabulary';
import type {
  Base,
  ChangeName,
  CiRun,
  Conclusion,
  Control,
  Entry,
  FailedBecause,
  FlakeMemory,
  Health,
  Landing,
  LineRun,
  Minutes,
  ModeSwitch,
  RedMoment,
  OracleSettings,
  Search,
  Targets,
  Tree,
  Verdict,
} from './model';
import { noteLeft } from './flakes';
import { isRed, type World } from './world';

export interface QueueStart {
  readonly mode: QueueMode;
  readonly settings: OracleSettings;
  readonly world: World;
  /** Called for each test. Returns whether CI reports a false failure for this test. */
  readonly flakes: () => boolean;
}

/** The state of the modelled queue and of its host. The rules are in other modules. */
export class OracleQueue implements FlakeMemory {
  readonly world: World;
  readonly flakes: () => boolean;
  settings: OracleSettings;
  mode: QueueMode;
  /**
   * The state of the queue. During a mode switch, this is the state after the switch: the earlier one, or one that was
   * requested during the switch.
   */
  state: RequestableQueueState = 'running';
  modeSwitch: ModeSwitch | null = null;
  minute: Minutes = 0;

  /**
   * `hostTarget` is the content of the target branch at the host. `target` is this content as far as the queue knows
   * it.
   */
  hostTarget: ChangeName[] = ['main'];
  target: ChangeName[] = ['main'];
  epoch = 1;
  readonly hostHeads = new Map<number, number>();
  readonly mergedAtHost = new Set<number>();

  readonly entries = new Map<number, Entry>();
  line: LineRun[] = [];
  searches: Search[] = [];
  landing: Landing | null = null;
  concluded = 0;
  readonly tests = new Map<number, CiRun>();
  readonly landedTargets = new Map<ChangeName, Targets>();
  /** For each change, the number of the landing that brought the change to the target. */
  readonly landedIn = new Map<ChangeName, number>();

  readonly health: Health = { passes: 0, streak: 1, passing: null, redsIn: new Map(), redTarget: null };
  control: Control | null = null;
  readonly flakeCounts = { yes: 0, no: 0 };
  blamed: FlakeMemory['blamed'] = [];
  readonly passedTrees = new Set<string>();
  readonly verdicts: Verdict[] = [];
  readonly problems: string[] = [];
  readonly log: string[] = [];
  testsStarted = 0;
  private lastNumber = 0;

  constructor(start: QueueStart) {
    this.world = start.world;
    this.flakes = start.flakes;
    this.settings = start.settings;
    this.mode = start.mode;
  }

  /**
   * The next number of an increasing sequence, for runs, turns of submissions, and turns and groups of returned
   * entries.
   */
  nextNumber(): number {
    return ++this.lastNumber;
  }

  say(sentence: string): void {
    this.log.push(sentence);
  }

  complain(problem: string): void {
    this.problems.push(problem);
  }

  /** The moment of a failure that happens now. `began` is the start of the test that failed. */
  presentMoment(began: Minutes): RedMoment {
    const { passes, streak } = this.health;
    return { began, minute: this.minute, passes, streak };
  }

  presentBase(): Base {
    return { epoch: this.epoch, targetLength: this.target.length };
  }

  headAtHost(number: number): number {
    return this.hostHeads.get(number) ?? 0;
  }

  /** Handles a target that somebody else moved, unless a landing is in progress. */
  noticeTarget(): void {
    if (this.landing !== null || this.hostTarget.length === this.target.length) return;
    this.target = [...this.hostTarget];
    this.epoch++;
    const { redTarget } = this.health;
    // The push may have repaired the target.
    if (redTarget !== null) redTarget.againAt = Math.min(redTarget.againAt, this.minute);
  }

  startTest(of: CiRun['of'], entries: readonly Entry[], base: Base, changes: readonly ChangeName[]): CiRun {
    const tree = [...this.target.slice(0, base.targetLength), ...changes];
    const passes = !isRed(this.world, tree) && !this.flakes();
    const numbers = entries.map((entry) => entry.number);
    const test: CiRun = { id: this.nextNumber(), of, numbers, tree, passes, began: this.minute };
    this.tests.set(test.id, test);
    this.testsStarted++;
    this.say(
      `  test ${test.id} of [${test.numbers.join(' ')}] on ${tree.slice(0, tree.length - entries.length).join(' ')}`,
    );
    return test;
  }

  stopTest(test: CiRun): void {
    this.tests.delete(test.id);
  }

  leave(entry: Entry, conclusion: Conclusion, because: string): void {
    Object.assign(entry, { where: 'out', run: null, search: null, conclusion } satisfies Partial<Entry>);
    this.concluded++;
    noteLeft(this, entry, because === 'landed');
    this.say(`  #${entry.number} ${conclusion} (${because})`);
  }

  fail(entry: Entry, because: FailedBecause, target: Tree = [...this.target]): void {
    this.verdicts.push({ entry, because, target });
    this.leave(entry, 'failed', because);
  }

  /** Lets the entry wait outside the sequence, where it keeps its turn unless a new turn is given. */
  wait(entry: Entry, turn: Partial<Pick<Entry, 'returnedOrder' | 'group' | 'batchAtMost'>> = {}): void {
    Object.assign(entry, {
      where: 'waiting',
      run: null,
      search: null,
      waitingSince: this.minute,
    } satisfies Partial<Entry>);
    Object.assign(entry, turn);
  }
}

export function mayStartTests(queue: OracleQueue): boolean {
  return queue.modeSwitch === null && queue.state === 'running';
}

/** Reads the pull requests that are about to be tested. Returns whether one of them has changed. */
export function lookAt(queue: OracleQueue, entries: readonly Entry[]): 'changed' | 'as known' {
  for (const { number, heard } of entries) {
    heard.head = queue.headAtHost(number);
    heard.isMerged = queue.mergedAtHost.has(number);
  }
  return entries.some(({ heard, head }) => heard.isMerged || heard.head !== head) ? 'changed' : 'as known';
}

export function isInTest({ phase }: LineRun): boolean {
  return phase === 'building' || phase === 'testing';
}
