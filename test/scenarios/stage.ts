import type { EntryState, Instant, QueueState, RunKind, StateReason } from '../../src/engine/vocabulary';
import type { Tested } from './notation';
import type { Scenario } from './scenario';
import type { Deed } from './story';

/** Somewhere a scenario can happen. The rows know nothing of it, it knows nothing of the rows. */
export interface Stage {
  readonly name: 'engine' | 'service';
  begin(scenario: Scenario): Promise<ScenarioWorld>;
}

export interface ScenarioWorld {
  /** Does one thing, and nothing that follows from it. Answers the code when the request is refused. */
  act(deed: ResolvedDeed): Promise<string | null>;
  /** Lets everything happen that is due. */
  settle(): Promise<void>;
  /** `runs`: without what only clients can be told, where asking for it is dear. */
  see(what: 'everything' | 'runs'): Promise<Sight>;
  /** Leaves nothing behind that could stir later. */
  end(): Promise<void>;
}

/** A report names its run by number: what it tested has been looked up. */
export type ResolvedDeed =
  | Exclude<Deed, { type: 'report' }>
  | (Omit<Extract<Deed, { type: 'report' }>, 'tested' | 'run'> & { readonly run: number });

/** What somebody outside can see of a queue. */
export interface Sight {
  /** Null when nobody asked about it. */
  readonly queue: QueueState | null;
  readonly now: Instant;
  /** Null when nobody asked about them. */
  readonly entries: readonly SeenEntry[] | null;
  /** Every run whose branch was pushed, in the order in which they were started. */
  readonly runs: readonly SeenRun[];
  /** Names, oldest first: `1@a` is pull request 1 at its first head, anything else was pushed past the queue. */
  readonly target: readonly string[];
  /** What the queue did to the target, oldest first. */
  readonly moves: readonly Move[];
  /** What the world itself found to be wrong. */
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
  /** How many of those at the end are its own. */
  readonly ownCount: number;
  readonly requiredStatuses: readonly string[];
  readonly pushedAt: Instant;
  readonly timeoutMinutes: number;
  /** Its result is awaited; it is decided but the queue still counts on it; nobody needs it any more. */
  readonly standing: 'awaited' | 'kept' | 'over';
}

/** The notation of the rows. What was being landed when the run was started is on the target when it is first seen. */
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
