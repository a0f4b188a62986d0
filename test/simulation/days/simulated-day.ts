import type { PullRequestDay } from '../../support/engine-host';
import { HOUR } from '../../../src/engine/vocabulary';
import { Chance } from './chance';
import { AuthorityCheck } from './checks/authority-check';
import { CodeWorld } from './code-world';
import { Comments } from './comments';
import { Diary } from './diary';
import { Heads } from './heads';
import { People } from './people';
import { DAY_MINUTES, type DayPlan } from './plan';
import { QueueAtWork } from './queue-at-work';
import { ServiceLife } from './service-life';
import type { Surroundings } from './surroundings';
import { count, emptyTally, type Tally } from './tally';
import { Time } from './time';

export interface DayResult {
  readonly problems: readonly string[];
  readonly events: number;
  readonly submissions: number;
  readonly runs: number;
  readonly landed: number;
  /** The runs after the last action of people, and the number of entries that were open at that time. */
  readonly calm: { readonly runs: number; readonly open: number };
  readonly tally: Tally;
  readonly diary: readonly string[];
}

/** The last minute. The minutes before it leave some quiet days after the first day, so that the queues can empty. */
const LAST_MINUTE = 6 * DAY_MINUTES;

/**
 * A day in a simulated world. For 24 hours people act on two queues; then nothing new happens until both queues are
 * empty.
 */
export class SimulatedDay {
  private readonly time = new Time();
  private readonly life = new ServiceLife(this.time);
  private readonly diary = new Diary(() => this.time.shown());
  private readonly tally = emptyTally();
  private readonly authority = new AuthorityCheck();
  private readonly problems: string[] = [];
  private readonly queues: readonly QueueAtWork[];
  private readonly people: People;
  private calm = { runs: 0, open: 0 };

  constructor(private readonly plan: DayPlan) {
    const { time, life, diary, tally, authority } = this;
    const code = new CodeWorld(plan.code);
    const heads = new Heads(plan.recordsPushes);
    const around: Surroundings = {
      ...{ plan, time, life, diary, tally, code, authority, heads },
      pullRequests: new Map<number, PullRequestDay>(),
      problem: (problem) => this.problem(problem),
      headReported: (report, tree) => this.queues.forEach((queue) => queue.headReported(report, tree)),
      turnAside: (number) => this.people.turnAside(number),
    };
    this.queues = [
      new QueueAtWork(around, 'main', new Chance(plan.seed)),
      new QueueAtWork(around, 'release', new Chance(plan.seed ^ 0x5bd1e995)),
    ];
    const queueFor = (number: number): QueueAtWork | null =>
      this.queues.find(({ branch, host }) => host.pullRequest(number).base === branch) ?? null;
    this.people = new People(around, this.queues, new Comments(around, heads, queueFor));
  }

  run(): DayResult {
    const numbers = new Set(this.plan.deeds.flatMap((deed) => ('number' in deed ? deed.number : [])));
    for (const number of numbers) this.people.open(number);
    for (const deed of this.plan.deeds)
      this.time.at(this.time.atMinute(deed.atMinute), () => {
        this.diary.deed(deed);
        count(this.tally.deeds, deed.type);
        this.people.play(deed);
      });
    this.time.at(this.time.atMinute(DAY_MINUTES), () => this.rest());
    while (this.problems.length === 0 && this.step()) this.gatherProblems();
    if (this.problems.length === 0) {
      for (const { checks } of this.queues) checks.fates.settled(this.time.now);
      this.gatherProblems();
    }
    return this.result();
  }

  private result(): DayResult {
    const { problems, tally, queues } = this;
    const sum = (of: (queue: QueueAtWork) => number): number => queues.reduce((so, queue) => so + of(queue), 0);
    return {
      ...{ problems, tally, diary: this.diary.lines },
      events: sum((queue) => queue.events),
      submissions: sum((queue) => queue.submissions),
      runs: this.runs(),
      landed: sum(({ host }) => host.target.filter((name) => name.includes('@')).length),
      calm: { runs: this.calm.runs + this.runs(), open: this.calm.open },
    };
  }

  private step(): boolean {
    const next = this.time.next();
    const [due] = this.queues.filter(({ wakeAt }) => wakeAt !== null).sort((a, b) => a.wakeAt! - b.wakeAt!);
    if (due !== undefined && !this.life.isDown && (next === null || due.wakeAt! <= next)) {
      this.time.now = Math.max(this.time.now, due.wakeAt!);
      due.tell({ type: 'clockTicked' });
      return true;
    }
    const isOver = this.time.minute > DAY_MINUTES && this.queues.every((queue) => queue.isAtRest);
    return !isOver && this.time.minute < LAST_MINUTE && this.time.step();
  }

  /** People stop acting, all queues run, and the host no longer objects to pull requests. */
  private rest(): void {
    this.people.goHome();
    // Work in progress may still break the target, because parallel mode merges pull requests without a common test if
    // they share no target. So people repair the target once more.
    this.time.at(this.time.now + 6 * HOUR, () => this.people.mendTargets());
    this.calm = { runs: -this.runs(), open: this.open() };
  }

  private runs(): number {
    return this.queues.reduce((sum, { checks }) => sum + checks.runs, 0);
  }

  private open(): number {
    return this.queues.reduce((sum, queue) => sum + queue.openEntries().length, 0);
  }

  private problem(problem: string): void {
    this.problems.push(problem);
    this.diary.problem(problem);
  }

  private gatherProblems(): void {
    const found = [...this.queues.flatMap(({ checks }) => checks.takeProblems()), ...this.authority.problems.splice(0)];
    for (const problem of found) this.problem(problem);
    if (this.time.minute > DAY_MINUTES && this.calm.open > 0) this.expectFewRuns();
  }

  /**
   * Limits the number of runs for n undisturbed entries. A queue that exceeds the limit would repeat its tests without
   * end.
   */
  private expectFewRuns(): void {
    const { open } = this.calm;
    const runs = this.calm.runs + this.runs();
    if (runs > 10 + 2 * open * open) this.problem(`${runs} runs for ${open} entries that nobody touches`);
  }
}
