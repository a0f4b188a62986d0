import { Prisma } from '../../generated/prisma/client';

/**
 * Whether a column has one of these values. A single one has a text of its own: PostgreSQL plans a list anew each time, which for one value
 * takes longer than reading its row.
 */
export function isOneOf(
  column: Prisma.Sql,
  values: readonly (string | number | bigint)[],
  type: Prisma.Sql,
): Prisma.Sql {
  if (values.length === 1) return Prisma.sql`${column} = ${values[0]}::${type}`;
  return Prisma.sql`${column} = ANY(${[...values]}::${type}[])`;
}
