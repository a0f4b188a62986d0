import type { LoggedCause } from '../../../decision-log/logged-decision';
import type { QueueLog as LogColumns } from '../../../../generated/prisma/client';
import type { LogLine } from '../log-line';
import { type CodecTable, type Encoded, iso } from './columns';
import { runIdOf } from './run.codec';

/**
 * The codec has no decoder: decisions write the log and never read it, and each reader selects the columns that it
 * needs.
 */
export const LOG: CodecTable<LogColumns> = {
  name: 'QueueLog',
  columns: {
    queueId: 'uuid',
    seq: 'bigint',
    at: 'timestamptz',
    type: 'text',
    entryId: 'uuid',
    attempt: 'int',
    runId: 'uuid',
    fromState: 'text',
    toState: 'text',
    reason: 'text',
    actor: 'text',
    requestId: 'text',
    traceParent: 'text',
    queueType: 'text',
    change: 'jsonb',
    cause: 'jsonb',
  },
};

/** The facts about a decision that are not in its changes. `cause`: stored in the first line only. */
interface DecisionOfLine {
  readonly cause: LoggedCause | null;
  readonly requestId: string | null;
  readonly traceParent: string | null;
}

export function encodeLogLine(
  queueId: string,
  seq: number,
  line: LogLine,
  decision: DecisionOfLine,
  now: Date,
): Encoded<LogColumns> {
  const { change, entryId, attempt, run, queueType } = line;
  const { fromState, toState, reason } = transitionOf(line);
  return {
    queueId,
    seq,
    at: 'at' in change ? iso(change.at) : now.toISOString(),
    type: change.type,
    entryId,
    attempt,
    runId: run === null ? null : runIdOf(queueId, run),
    fromState,
    toState,
    reason,
    actor: 'actor' in change ? change.actor : null,
    requestId: decision.requestId,
    traceParent: decision.traceParent,
    queueType,
    change,
    cause: decision.cause,
  };
}

function transitionOf({ change }: LogLine): {
  fromState: string | null;
  toState: string | null;
  reason: string | null;
} {
  if (change.type === 'entrySubmitted') {
    return { fromState: null, toState: change.entry.state, reason: change.entry.stateReason };
  }
  if (change.type === 'entryMoved') return { fromState: change.from, toState: change.to, reason: change.because };
  return { fromState: null, toState: null, reason: null };
}
