import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ENGINE_SETTINGS, QUEUE_SETTINGS } from '../../domain/queue-settings';
import { shapeOf, shapeProblem } from '../../platform/shape-problem';
import type {
  OutsideEvent,
  PastDecision,
  PastEnd,
  PastLanded,
  PastLanding,
  PastReport,
  PastRun,
  QueueHistory,
} from '../../processing/replay/history';
import { CliError } from '../cli-error';

const aNumber = z.number();
const aText = z.string();
const anObject = z.looseObject({});
const FACTS = z.looseObject({ number: aNumber, head: aText, seenAt: aNumber });
const HEADS = z.array(z.looseObject({ number: aNumber, head: aText }));

/** The shapes of all types of events. A new type without a shape does not compile. */
const EVENTS: Readonly<Record<OutsideEvent['type'], z.ZodRawShape>> = {
  pullRequestSubmitted: { newEntryId: aText, facts: FACTS, hasTargets: z.boolean() },
  pullRequestSeen: { facts: FACTS },
  pullRequestGone: { number: aNumber, seenAt: aNumber },
  cancelRequested: { number: aNumber },
  restartRequested: { number: aNumber },
  promotionRequested: { number: aNumber },
  allCancelRequested: { numbers: z.array(aNumber) },
  targetsGiven: { number: aNumber, head: aText },
  targetsComputed: { numbers: z.array(aNumber) },
  settingsChanged: { settings: anObject },
};
const EVENT = z.discriminatedUnion('type', typed(EVENTS));

const MOMENT = { at: aNumber, rank: aNumber };
const HAPPENING = z.discriminatedUnion(
  'type',
  typed({
    event: { ...MOMENT, event: EVENT },
    targetPushed: { ...MOMENT, isTold: z.boolean() },
    targetSeen: MOMENT,
    pullRequestChanged: { ...MOMENT, facts: FACTS },
    targetsGiven: {
      ...MOMENT,
      number: aNumber,
      head: aText,
      targets: z.literal('ALL').or(z.array(aText)),
    },
  }),
);

const PAST_START = z.discriminatedUnion(
  'type',
  typed({
    pushed: { toldAfter: aNumber, rank: aNumber, pushedAfter: aNumber },
    reused: { toldAfter: aNumber, rank: aNumber, isRed: z.boolean() },
    refused: { toldAfter: aNumber, rank: aNumber, because: z.looseObject({ type: aText }) },
  }),
);

const RUN = shapeOf<PastRun>({
  orderedAt: aNumber,
  kind: aText,
  epoch: aNumber,
  landedSeq: aNumber,
  holds: HEADS,
  own: aNumber,
  start: z.nullable(PAST_START),
  reports: z.array(
    shapeOf<PastReport>({
      after: aNumber,
      rank: aNumber,
      state: z.enum(['passed', 'failed', 'lost']),
      isFlaky: z.boolean(),
    }),
  ),
  isSilent: z.boolean(),
  stoppedAfter: z.nullable(aNumber),
  isUnderWay: z.optional(z.literal(true)),
});

const LANDING = shapeOf<PastLanding>({
  orderedAt: aNumber,
  holds: HEADS,
  toldAfter: aNumber,
  rank: aNumber,
  refused: z.nullable(z.looseObject({ type: aText })),
  isUnderWay: z.optional(z.literal(true)),
});

const SETTINGS = z.looseObject(
  Object.fromEntries(ENGINE_SETTINGS.map((name) => [name, z.nullish(valueOf(QUEUE_SETTINGS[name].kind))])),
);

const START = shapeOf<QueueHistory['start']>({
  isEmpty: z.boolean(),
  state: aText,
  mode: aText,
  settings: SETTINGS,
  limits: anObject,
  flow: z.nullable(anObject),
  knowsTip: z.boolean(),
  epoch: aNumber,
  landedSeq: aNumber,
});

const HISTORY = shapeOf<QueueHistory>({
  version: z.literal(1),
  from: aNumber,
  until: aNumber,
  start: START,
  happenings: z.array(HAPPENING),
  runs: z.array(RUN),
  landings: z.array(LANDING),
  landed: z.array(shapeOf<PastLanded>({ number: aNumber, head: aText, seq: aNumber, epoch: aNumber })),
  ends: z.array(
    shapeOf<PastEnd>({
      number: aNumber,
      head: aText,
      submittedAt: aNumber,
      endedAt: aNumber,
      end: z.enum(['merged', 'failed', 'cancelled']),
      reason: z.nullable(aText),
    }),
  ),
  decided: z.array(shapeOf<PastDecision>({ ...MOMENT, isTick: z.boolean() })),
  downtimes: z.array(z.looseObject({ from: aNumber, to: aNumber })),
});

/** Throws a CliError that names the first field that is wrong. */
export function readHistory(file: string): QueueHistory {
  const next = 'Write one with: sluice replay <repository> --export <file>';
  let read: unknown;
  try {
    read = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { next });
  }
  const problem = shapeProblem(HISTORY, read);
  if (problem !== null)
    throw new CliError(`${file} is no history of a queue that this version can replay: ${problem}.`, { next });
  return read as QueueHistory;
}

function valueOf(kind: string): z.ZodType {
  switch (kind) {
    case 'integer':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'choice':
    case 'text':
      return z.string();
    default:
      return z.array(z.unknown());
  }
}

type OfOneType = z.ZodObject<{ type: z.ZodLiteral<string> } & z.ZodRawShape, z.core.$loose>;

function typed(shapes: Readonly<Record<string, z.ZodRawShape>>): [OfOneType, ...OfOneType[]] {
  const all = Object.entries(shapes).map(([type, shape]) => z.looseObject({ ...shape, type: z.literal(type) }));
  return all as unknown as [OfOneType, ...OfOneType[]];
}
