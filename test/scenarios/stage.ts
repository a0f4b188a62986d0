import type { EntryState, Instant, QueueState, RunKind, StateReason } from '../../src/engine/vocabulary';
import type { Tested } from './notation';
import type { Scenario } from './scenario';
import type { Deed } from './story';

/** An environment in which a scenario can happen. Rows and stages do not know each other. */
export interface Stage {
  readonly name: 'engine' | 'service';
  begin(scenario: Scenario): Promise<ScenarioWorld>;
}

export interface ScenarioWorld {
  /** Does one deed without its consequences. Returns the error code when the request is refused. */
  act(deed: ResolvedDeed): Promise<string | null>;
  /** Lets everything happen that is due. */
  settle(): Promise<void>;
  /** `runs`: without the fields that only clients receive, if those are expensive. */
  see(what: 'everything' | 'runs'): Promise<Sight>;
  /** Leaves no process or timer behind. */
  end(): Promise<void>;
}

/** A report names its run by number: the content has been resolved. */
export type ResolvedDeed =
  | Exclude<Deed, { type: 'report' }>
  | (Omit<Extract<Deed, { type: 'report' }>, 'tested' | 'run'> & { readonly run: number });

/** The view of a queue from outside. */
export interface Sight {
  /** Null when it was not requested. */
  readonly queue: QueueState | null;
  readonly now: Instant;
  /** Null when they were not requested. */
  readonly entries: readonly SeenEntry[] | null;
  /** Every run with a pushed branch, by start. */
  readonly runs: readonly SeenRun[];
  /** Names, oldest first: `1@a` is pull request 1 at its first head; other names are pushes that bypass the queue. */
  readonly target: readonly string[];
  /** The queue's moves of the target, oldest first. */
  readonly moves: readonly Move[];
  /** Problems that the world itself found. */
  readonly problems: readonly string[];
}

export interface Move {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface SeenEntry {
  readonly number: number;
  readonly state: EntryState;
  readonly reason: StateReason | null;
  readonly waitingFor: string | null;
  /** Oldest first. */
  readonly timeline: readonly Moment[];
}

export interface Moment {
  readonly state: EntryState;
  readonly reason: StateReason | null;
  readonly hasRun: boolean;
  readonly at: Instant;
}

export interface SeenRun {
  readonly number: number;
  readonly kind: RunKind;
  readonly base: readonly string[];
  /** Beyond its base, in order. */
  readonly adds: readonly string[];
  /** The last so many of these are its own. */
  readonly ownCount: number;
  readonly requiredStatuses: readonly string[];
  readonly pushedAt: Instant;
  readonly timeoutMinutes: number;
  /**
   * awaited: its result is open. kept: it has a result, and the queue still uses it. over: nothing needs it any more.
   */
  readonly standing: 'awaited' | 'kept' | 'over';
}

/**
 * The notation of the rows. A landing that was in progress at the start of the run is on the target when the run is
 * first seen.
 */
export function testedBy({ kind, adds, ownCount }: SeenRun, target: readonly string[]): Tested {
  const own = adds
    .slice(adds.length - ownCount)
    .map(shortNameOf)
    .join('+');
  const ahead = adds
    .slice(0, adds.length - ownCount)
    .filter((name) => !target.includes(name))
    .map(shortNameOf);
  const letter = kind === 'line' ? 'T' : 'S';
  return `${letter}[${[...ahead, own].join(',')}]`;
}

function shortNameOf(name: string): string {
  return name.replace(/@a$/, '').replace('@', '');
}

/** A pull request's number, or the name of a push. */
export function landedAs(name: string): number | string {
  const number = Number(name.split('@')[0]);
  return Number.isInteger(number) ? number : name;
}
