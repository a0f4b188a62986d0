import { Prisma } from '../../generated/prisma/client';

/**
 * Whether a column has one of these values. A single value gets its own SQL text: PostgreSQL plans a list for each
 * execution, which takes longer than reading one row.
 */
export function isOneOf(
  column: Prisma.Sql,
  values: readonly (string | number | bigint)[],
  type: Prisma.Sql,
): Prisma.Sql {
  if (values.length === 1) return Prisma.sql`${column} = ${values[0]}::${type}`;
  return Prisma.sql`${column} = ANY(${[...values]}::${type}[])`;
}
