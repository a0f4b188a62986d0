import type { LandedChange } from '../../../../engine/model';
import { type LandedChange as LandedColumns, Prisma } from '../../../../generated/prisma/client';
import type { LandedRecord } from '../decision-record';
import type { CodecTable, Complete, Encoded, InJson } from './columns';

export const LANDED: CodecTable<LandedColumns> = {
  name: 'LandedChange',
  columns: {
    queueId: 'uuid',
    seq: 'bigint',
    epoch: 'int',
    entryId: 'uuid',
    number: 'int',
    head: 'text',
    generation: 'int',
    landing: 'int',
    below: 'text',
    commit: 'text',
    tree: 'text',
    landedAt: 'timestamptz',
  },
};

export function encodeLanded(queueId: string, { seq, epoch, change }: LandedRecord, now: Date): Encoded<LandedColumns> {
  const { landing, below = null, commit, tree, change: landed } = change;
  const { entryId, number, head, generation = 0 } = landed;
  const made = { landing, below, commit, tree, landedAt: now.toISOString() };
  return { queueId, seq, epoch, entryId, number, head, generation, ...made };
}

/** The columns to select for a `LandedRow`. */
export const LANDED_READ = Prisma.sql`"seq", "epoch", "entryId", "number", "head", "generation", "landing"`;

export type LandedRow = Pick<
  InJson<LandedColumns>,
  'seq' | 'epoch' | 'entryId' | 'number' | 'head' | 'generation' | 'landing'
>;

export function decodeLanded({ generation, landing, ...row }: LandedRow): Complete<LandedChange> {
  return { ...row, generation: generation > 0 ? generation : undefined, landing: landing ?? undefined };
}
