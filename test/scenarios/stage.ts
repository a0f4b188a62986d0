import type { EntryState, Instant, QueueState, RunKind, StateReason } from '../../src/engine/vocabulary';
import type { Tested } from './notation';
import type { Scenario } from './scenario';
import type { Deed } from './story';

/** An environment in which a scenario is played. Rows do not depend on stages, and stages do not depend on rows. */
export interface Stage {
  readonly name: 'engine' | 'service';
  begin(scenario: Scenario): Promise<ScenarioWorld>;
}

export interface ScenarioWorld {
  /** Does one deed, without waiting for its consequences. Returns the error code when the request is refused. */
  act(deed: ResolvedDeed): Promise<string | null>;
  /** Lets everything happen that is due. */
  settle(): Promise<void>;
  /** With `runs`, leaves out expensive fields that only clients receive. */
  see(what: 'everything' | 'runs'): Promise<Sight>;
  /** Ends the world, and leaves no process or timer behind. */
  end(): Promise<void>;
}

/** A deed in which a report names its run by number. In the story, the run's content names it. */
export type ResolvedDeed =
  | Exclude<Deed, { type: 'report' }>
  | (Omit<Extract<Deed, { type: 'report' }>, 'tested' | 'run'> & { readonly run: number });

/** The view of a queue from outside. */
export interface Sight {
  /** The state of the queue; null when it was not requested. */
  readonly queue: QueueState | null;
  readonly now: Instant;
  /** The entries; null when they were not requested. */
  readonly entries: readonly SeenEntry[] | null;
  /** Every run with a pushed branch, in the order of their starts. */
  readonly runs: readonly SeenRun[];
  /**
   * Names of the changes on the target, the oldest first. `1@a` is pull request 1 at its first head; other names are
   * pushes that bypass the queue.
   */
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
  /** The states of the entry, the oldest first. */
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
  /** The changes that the run adds to its base, in order. */
  readonly adds: readonly string[];
  /** The number of the last changes in `adds` that are the run's own. */
  readonly ownCount: number;
  readonly requiredStatuses: readonly string[];
  readonly pushedAt: Instant;
  readonly timeoutMinutes: number;
  /**
   * `awaited`: the run has no result yet. `kept`: the run has a result, and the queue still uses it. `over`: the queue
   * does not need the run any more.
   */
  readonly standing: 'awaited' | 'kept' | 'over';
}

/**
 * A run in the notation of the rows. Changes that were landing at the start of the run are left out, because they are
 * on the target when the run is first seen.
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

/** The landed change with this name, which is a pull request's number or the name of a push. */
export function landedAs(name: string): number | string {
  const number = Number(name.split('@')[0]);
  return Number.isInteger(number) ? number : name;
}
