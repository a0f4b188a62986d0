import { type TestRunMember as MemberColumns, Prisma } from '../../../../generated/prisma/client';
import type { RunRecord } from '../decision-record';
import type { CodecTable, Encoded } from './columns';
import { runIdOf } from './run.codec';

export const MEMBERS: CodecTable<MemberColumns> = {
  name: 'TestRunMember',
  columns: {
    runId: 'uuid',
    entryId: 'uuid',
    number: 'int',
    attempt: 'int',
    head: 'text',
    generation: 'int',
    position: 'int',
  },
};

/** The members of a run, by position. */
export function encodeMembers(queueId: string, { run, attempts }: RunRecord): readonly Encoded<MemberColumns>[] {
  const runId = runIdOf(queueId, run.number);
  return run.own.map(({ entryId, number, head, generation = 0 }, position) => {
    return { runId, entryId, number, attempt: attempts[position] ?? 1, head, generation, position };
  });
}

/** The row `m` as a `QueuedHead` of the engine. PostgreSQL decodes it, because a run is read with its members. */
export const MEMBER_AS_HEAD = Prisma.sql`
        jsonb_strip_nulls(jsonb_build_object('entryId', m."entryId", 'number', m."number", 'head', m."head",
          'generation', nullif(m."generation", 0)))`;
