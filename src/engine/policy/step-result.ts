import type { Change, EntryMoved, EntryPlace } from '../changes';
import type { Command } from '../commands';
import type { Entry, QueueSnapshot, RunFailure, TestRun } from '../model';
import type { Actor, EntryState, Instant, StateReason } from '../vocabulary';

/** The effects of a step or an event: changes of the queue, and commands to the outside. */
export interface StepResult {
  readonly changes: readonly Change[];
  readonly commands: readonly Command[];
}

export const NOTHING: StepResult = { changes: [], commands: [] };

/**
 * A pure function for one rule of the queue. The result of a step is applied to the snapshot before the next step runs.
 */
export type Step = (queue: QueueSnapshot, now: Instant) => StepResult;

export function changesOnly(...changes: readonly Change[]): StepResult {
  return { changes, commands: [] };
}

export function combine(...outcomes: readonly StepResult[]): StepResult {
  return { changes: outcomes.flatMap((o) => o.changes), commands: outcomes.flatMap((o) => o.commands) };
}

interface MoveExtras {
  readonly run?: number;
  readonly actor?: Actor;
  readonly details?: string;
}

export function moved(
  entry: Entry,
  to: EntryState,
  because: StateReason | null,
  at: Instant,
  extras: MoveExtras = {},
): EntryMoved {
  const { run = null, actor = null, details = null } = extras;
  return { type: 'entryMoved', entryId: entry.id, from: entry.state, to, because, run, actor, at, details };
}

export function outOfLine(entries: readonly Entry[]): readonly Change[] {
  const placed = entries.filter((entry) => entry.place !== null);
  if (placed.length === 0) return [];
  const places = placed.map((entry): EntryPlace => ({ entryId: entry.id, place: null, index: 0, urgent: false }));
  return [{ type: 'entriesPlaced', places, because: 'left' }];
}

type EndReason = Extract<Change, { type: 'runEnded' }>['because'];

/** Ends a run: its checks are stopped and its branch is removed. */
export function ended(run: TestRun, because: EndReason, failure: RunFailure | null = null): StepResult {
  const stop: Command = {
    type: 'stopTestRun',
    run: run.number,
    because: run.phase === 'failed' ? 'failed' : 'ended',
    failure,
  };
  return {
    changes: [{ type: 'runEnded', run: run.number, because }],
    commands: run.phase === 'conflicted' || run.kind === 'direct' ? [] : [stop],
  };
}
