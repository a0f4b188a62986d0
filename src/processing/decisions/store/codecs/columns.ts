import type { Instant } from '../../../../engine/vocabulary';
import type { Prisma } from '../../../../generated/prisma/client';

/**
 * The columns of `Model`, a row type of Prisma, that a codec encodes: all but `Others`. A `BulkTable` of `Encoded`
 * rows. If a column exists only in the schema, or only in the codec, the code does not compile.
 */
export interface CodecTable<Model, Others extends keyof Model = never> {
  readonly name: string;
  readonly columns: { readonly [Column in Exclude<keyof Model, Others>]: SqlType<NonNullable<Model[Column]>> };
  /** The columns that an update does not write: see `BulkTable`. */
  readonly fixed?: readonly Exclude<keyof Model, Others>[];
}

/** A row as `jsonb_to_recordset` reads it. Instants are ISO strings. */
export type Encoded<Model, Others extends keyof Model = never> = {
  readonly [Column in Exclude<keyof Model, Others>]:
    EncodedValue<NonNullable<Model[Column]>> | (null extends Model[Column] ? null : never);
};

/** A row as PostgreSQL writes it in JSON. */
export type InJson<Model> = { readonly [Column in keyof Model]: DecodedValue<Model[Column]> };

/**
 * A type with every field of `Value`, also the optional fields, so that a decoder that forgets a field does not
 * compile.
 */
export type Complete<Value> = { readonly [Field in keyof Required<Value>]: Value[Field & keyof Value] };

type SqlType<Value> = [Prisma.JsonObject] extends [Value]
  ? 'jsonb'
  : Value extends Date
    ? 'timestamptz'
    : Value extends bigint
      ? 'bigint'
      : Value extends number
        ? 'int'
        : Value extends boolean
          ? 'boolean'
          : Value extends string
            ? 'text' | 'uuid'
            : 'text[]';

type EncodedValue<Value> = [Prisma.JsonObject] extends [Value]
  ? object
  : Value extends Date
    ? string
    : Value extends bigint
      ? number | string
      : Value extends readonly string[]
        ? readonly string[]
        : Value;

type DecodedValue<Value> = [Prisma.JsonObject] extends [Value]
  ? unknown
  : Value extends Date
    ? string
    : Value extends bigint
      ? number
      : Value;

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

export function instantOrNull(at: Date | null): Instant | null {
  return at === null ? null : at.getTime();
}

export function instantIn(at: string): Instant {
  return Date.parse(at);
}

export function instantInOrNull(at: string | null): Instant | null {
  return at === null ? null : instantIn(at);
}
