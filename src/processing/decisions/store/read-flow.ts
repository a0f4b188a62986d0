import { z } from 'zod';
import { FLOW_AT_START, type FlowStanding, type FlowState, JUST_WAITING } from '../../../engine/flow-state';
import type { FlowRun, QueuedHead } from '../../../engine/model';
import { shapeOf, shapeProblem } from '../../../platform/shape-problem';

/** The engine keeps its lists short, so it cannot have written a longer list than this. */
const LIST_AT_MOST = 10_000;

const aNumber = z.number();
const aText = z.string();
const listOf = (element: z.ZodType): z.ZodType => z.array(element).max(LIST_AT_MOST);

const COUNTS = shapeOf<FlowState['learned']['failure']>({ yes: aNumber, no: aNumber });
const HEAD = shapeOf<QueuedHead>({ entryId: aText, number: aNumber, head: aText, generation: z.optional(aNumber) });

const AREAS = listOf(shapeOf<FlowState['areas'][number]>({ area: aNumber, yes: aNumber, no: aNumber }));
const LEARNED = shapeOf<FlowState['learned']>({
  failure: COUNTS,
  misfit: COUNTS,
  together: COUNTS,
  apart: COUNTS,
  flake: COUNTS,
});

const STATE = shapeOf<FlowState>({
  results: aNumber,
  lastPass: aNumber,
  lastRed: aNumber,
  tested: aNumber,
  streak: aNumber,
  redsIn: listOf(shapeOf<FlowState['redsIn'][number]>({ streak: aNumber, reds: aNumber })),
  redTests: listOf(
    shapeOf<FlowState['redTests'][number]>({
      run: aNumber,
      streak: aNumber,
      open: aNumber,
      entryIds: z.optional(listOf(aText)),
    }),
  ),
  redTarget: z.nullable(
    shapeOf<NonNullable<FlowState['redTarget']>>({ since: aNumber, againAt: aNumber, reds: aNumber }),
  ),
  passing: z.optional(shapeOf<NonNullable<FlowState['passing']>>({ from: aNumber, until: aNumber })),
  outageEndedAt: z.optional(aNumber),
  lastUndecided: aNumber,
  undecided: aNumber,
  nextSet: aNumber,
  nextPassed: aNumber,
  switchingFrom: z.optional(z.enum(['in_order', 'flow'])),
  areas: AREAS,
  learned: LEARNED,
});

/** The learned figures. The figures are estimates, and no landing depends on them. */
const FIGURES = shapeOf<Pick<FlowState, 'areas' | 'learned'>>({ areas: AREAS, learned: LEARNED });

const STANDING = shapeOf<FlowStanding>({
  at: z.enum(['waiting', 'suspect', 'passed']),
  run: z.nullable(aNumber),
  set: aNumber,
  index: aNumber,
  isWholeDue: z.boolean(),
  passedAs: aNumber,
  hasPassed: z.boolean(),
  rides: aNumber,
  redWith: listOf(aText),
  reds: aNumber,
  streaks: listOf(aNumber),
  redAlone: z.nullable(
    shapeOf<NonNullable<FlowStanding['redAlone']>>({
      run: aNumber,
      failure: z.looseObject({}),
      result: aNumber,
      tested: aNumber,
      streak: aNumber,
    }),
  ),
  redIn: listOf(aNumber),
  areas: listOf(aNumber),
  clashes: listOf(aText),
  until: listOf(HEAD),
});

const RUN = shapeOf<FlowRun>({
  role: z.enum(['group', 'half', 'alone', 'check', 'target']),
  assumed: listOf(HEAD),
  set: aNumber,
  isUrgent: z.boolean(),
  streak: z.optional(aNumber),
});

/**
 * Decodes the state. Fields that an earlier version did not know get their initial values. Learned figures that cannot
 * be read get their initial values, too: the queue learns them again.
 * @throws Error if the engine cannot have written another part, because a decision on it could land an untested tree.
 */
export function readFlowState(stored: unknown, queue: { readonly id: string }): FlowState {
  return readOnce(stored, queue).flow;
}

/** A sentence about learned figures that cannot be read; null if all can be read. @throws like `readFlowState`. */
export function whatWasForgotten(stored: unknown, queue: { readonly id: string }): string | null {
  return readOnce(stored, queue).problem;
}

interface ReadState {
  readonly flow: FlowState;
  readonly problem: string | null;
}

/** A cache, because a decision decodes the state of the same row several times. */
const readStates = new WeakMap<object, ReadState>();

function readOnce(stored: unknown, queue: { readonly id: string }): ReadState {
  const before = isObject(stored) ? readStates.get(stored) : undefined;
  if (before !== undefined) return before;
  const { state, problem } = withReadableFigures(stored, queue);
  const flow = read<FlowState>(STATE, state, FLOW_AT_START, `flow of queue ${queue.id}`);
  if (isObject(stored)) readStates.set(stored, { flow, problem });
  return { flow, problem };
}

/** The state for people, also if the queue cannot decide. `problem`: the error and its consequence, or null. */
export function readFlowForPeople(stored: unknown, queue: { readonly id: string }): ReadState {
  try {
    return readOnce(stored, queue);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      flow: FLOW_AT_START,
      problem: `${why}. This queue decides nothing until this is fixed: restore it from a backup`,
    };
  }
}

function withReadableFigures(
  stored: unknown,
  { id }: { readonly id: string },
): { readonly state: unknown; readonly problem: string | null } {
  if (!isObject(stored)) return { state: stored, problem: null };
  const { learned, areas } = { ...FLOW_AT_START, ...stored };
  const wrong = shapeProblem(FIGURES, { learned, areas });
  if (wrong === null) return { state: stored, problem: null };
  const problem = `The learned figures of queue ${id} cannot be read (${wrong}): the queue starts again with the defaults of a new queue`;
  return { state: { ...stored, learned: FLOW_AT_START.learned, areas: FLOW_AT_START.areas }, problem };
}

/** @throws like `readFlowState`. */
export function readStanding(
  stored: unknown,
  { id, queueId }: { readonly id: string; readonly queueId: string },
): FlowStanding {
  return read(STANDING, stored, JUST_WAITING, `flow of entry ${id} of queue ${queueId}`);
}

/** @throws like `readFlowState`. */
export function readFlowRun(
  stored: unknown,
  { number, queueId }: { readonly number: number; readonly queueId: string },
): FlowRun {
  return read<FlowRun>(RUN, stored, {}, `flow of run ${number} of queue ${queueId}`);
}

function read<T extends object>(shape: z.ZodType, stored: unknown, atStart: Partial<T>, of: string): T {
  const known = isObject(stored) ? { ...atStart, ...stored } : stored;
  const wrong = shapeProblem(shape, known);
  if (wrong !== null) throw new Error(`The stored ${of} cannot be read: ${wrong}`);
  return known as T;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
