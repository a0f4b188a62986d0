import type { QueueMode } from '../../src/engine/vocabulary';
import { type Known, violationsIn } from './invariants';
import type { Expected, Targets, Tested } from './notation';
import type { Scenario } from './scenario';
import type { Deed, DeedBeat, ReportedState } from './story';
import {
  landedAs,
  type ResolvedDeed,
  type ScenarioWorld,
  type SeenRun,
  type Sight,
  type Stage,
  testedBy,
} from './stage';

/**
 * Plays a row on a stage. Returns how the outcome deviates from the row, in order; empty when there is no deviation.
 */
export async function play(scenario: Scenario, stage: Stage): Promise<readonly string[]> {
  const world = await stage.begin(scenario);
  try {
    return await new Play(scenario, world).run();
  } finally {
    await world.end();
  }
}

interface Book {
  mode: QueueMode;
  readonly submitted: Set<number>;
  readonly targets: Map<number, Targets>;
  readonly reports: Map<number, Map<string, ReportedState>>;
  readonly passedHeads: Set<string>;
  /** How many pushes each pull request has had. */
  readonly pushes: Map<number, number>;
  readonly everRed: Set<number>;
}

class Play {
  /** Facts that the story records itself, separate from the queue's answers. */
  private readonly book: Book;
  private sight: Sight | null = null;
  /** The content of each run, by the run's number, as the content was first seen. */
  private readonly tests = new Map<number, Tested>();

  constructor(
    private readonly scenario: Scenario,
    private readonly world: ScenarioWorld,
  ) {
    const targets = (scenario.pullRequests ?? []).flatMap(({ number, targets: given }) =>
      given ? [[number, given] as const] : [],
    );
    this.book = {
      mode: scenario.settings?.mode ?? 'single',
      submitted: new Set(),
      targets: new Map(targets),
      reports: new Map(),
      passedHeads: new Set(),
      pushes: new Map(),
      everRed: new Set(),
    };
  }

  async run(): Promise<readonly string[]> {
    const { story } = this.scenario;
    for (const [i, beat] of story.entries()) {
      const see = story[i + 1]?.beat === 'shows' ? 'everything' : 'runs';
      const problems = beat.beat === 'shows' ? this.compare(beat.expected) : await this.carryOut(beat, see);
      if (problems.length > 0) return problems.map((problem) => `beat ${i + 1} (${described(beat)}): ${problem}`);
    }
    return [];
  }

  private async carryOut({ beat, deeds, refusal }: DeedBeat, see: 'everything' | 'runs'): Promise<readonly string[]> {
    const resolved = deeds.map((deed) => this.resolve(deed));
    const unknown = resolved.filter((deed) => typeof deed === 'string');
    if (unknown.length > 0) return unknown;
    const known = resolved.filter((deed) => typeof deed !== 'string');
    const answers =
      beat === 'race' ? await Promise.all(known.map((deed) => this.act(deed))) : await this.oneByOne(known);
    const surprises = answers.filter((answer) => answer !== refusal);
    if (surprises.length > 0) return [`answered ${surprises.join(', ')}, expected ${refusal ?? 'no refusal'}`];
    await this.world.settle();
    this.sight = await this.world.see(see);
    for (const run of this.sight.runs)
      if (!this.tests.has(run.number)) this.tests.set(run.number, testedBy(run, this.sight.target));
    return violationsIn(this.sight, this.book satisfies Known);
  }

  private async oneByOne(deeds: readonly ResolvedDeed[]): Promise<readonly (string | null)[]> {
    const answers: (string | null)[] = [];
    for (const deed of deeds) answers.push(await this.act(deed));
    return answers;
  }

  private async act(deed: ResolvedDeed): Promise<string | null> {
    const answer = await this.world.act(deed);
    if (answer === null) this.note(deed);
    return answer;
  }

  /** Finds the run of a report by its content, among the runs that the queue showed last. */
  private resolve(deed: Deed): ResolvedDeed | string {
    if (deed.type !== 'report') return deed;
    const { tested, run: which, ...rest } = deed;
    const found = this.runs().findLast(
      (run) => this.tests.get(run.number) === tested && (run.standing === 'over') === (which === 'over'),
    );
    return found ? { ...rest, run: found.number } : `no ${which} run tests ${tested}; live: ${this.liveRuns()}`;
  }

  private note(deed: ResolvedDeed): void {
    switch (deed.type) {
      case 'submit':
        this.book.submitted.add(deed.number);
        return;
      case 'giveTargets':
        this.book.targets.set(deed.number, deed.targets);
        return;
      case 'changeQueue':
        this.book.mode = deed.change.mode ?? this.book.mode;
        return;
      case 'report': {
        const reports = this.book.reports.get(deed.run) ?? new Map<string, ReportedState>();
        this.book.reports.set(deed.run, reports.set(deed.status, deed.state));
        if (deed.state === 'failed' || deed.state === 'cancelled') this.book.everRed.add(deed.run);
        return;
      }
      case 'reportOnHead':
        if (deed.state === 'passed') this.book.passedHeads.add(this.headNameOf(deed.number));
        return;
      case 'turn':
        if (deed.into === 'pushed to') this.book.pushes.set(deed.number, this.pushesTo(deed.number) + 1);
        return;
      default:
        return;
    }
  }

  private headNameOf(number: number): string {
    return `${number}@${String.fromCharCode('a'.charCodeAt(0) + this.pushesTo(number))}`;
  }

  private pushesTo(number: number): number {
    return this.book.pushes.get(number) ?? 0;
  }

  private compare(expected: Expected): readonly string[] {
    const { sight } = this;
    if (!sight) return ['nothing has happened yet'];
    const entries = new Map(sight.entries?.map((entry) => [entry.number, entry]));
    const seen: Expected = {
      target: sight.target.map(landedAs),
      tested: this.testsOf(sight.runs),
      testing: this.testsOf(sight.runs.filter(isAwaited)),
      moves: sight.moves.length,
      queue: sight.queue ?? undefined,
    };
    const fields = Object.keys(seen) as (keyof typeof seen)[];
    return [
      ...fields.flatMap((field) => differing(field, expected[field], seen[field])),
      ...Object.entries(expected.states ?? {}).flatMap(([number, standing]) => {
        const entry = entries.get(Number(number));
        const short = entry?.state ?? 'unknown';
        return differing(`#${number}`, standing, standing.includes(':') ? `${short}: ${entry?.reason}` : short);
      }),
      ...Object.entries(expected.history ?? {}).flatMap(([number, states]) => {
        const timeline = entries.get(Number(number))?.timeline ?? [];
        return differing(
          `#${number} went through`,
          states,
          timeline.map((moment) => moment.state),
        );
      }),
      ...Object.entries(expected.waitsFor ?? {}).flatMap(([number, words]) => {
        const sentence = entries.get(Number(number))?.waitingFor ?? 'nothing';
        return sentence.includes(words) ? [] : [`#${number} waits for: ${sentence}; expected to speak of ${words}`];
      }),
    ];
  }

  private runs(): readonly SeenRun[] {
    return this.sight?.runs ?? [];
  }

  private testsOf(runs: readonly SeenRun[]): readonly Tested[] {
    return runs.flatMap(({ number }) => this.tests.get(number) ?? []);
  }

  private liveRuns(): string {
    return this.testsOf(this.runs().filter(isAwaited)).join(' ') || 'none';
  }
}

function isAwaited({ standing }: SeenRun): boolean {
  return standing === 'awaited';
}

function differing(what: string, expected: unknown, seen: unknown): readonly string[] {
  if (expected === undefined || JSON.stringify(expected) === JSON.stringify(seen)) return [];
  return [`${what}: ${said(seen)}, expected ${said(expected)}`];
}

function said(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(' ')}]` : String(value);
}

function described(beat: Scenario['story'][number]): string {
  return beat.beat === 'shows' ? 'shows' : beat.deeds.map((deed) => describedDeed(deed)).join(', ');
}

function describedDeed(deed: Deed): string {
  const about: readonly (Tested | number)[] =
    deed.type === 'report' ? [deed.tested] : 'number' in deed ? [deed.number] : [];
  return [deed.type, ...about].join(' ');
}
