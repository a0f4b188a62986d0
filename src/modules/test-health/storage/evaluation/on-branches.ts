import { Prisma } from '../../../../generated/prisma/client';
import { branchFilter } from '../../rules/branches';

/**
 * A condition on `TestUpload` with the alias u: the branch of the upload matches one of the patterns. Without patterns
 * any branch matches.
 */
export function onBranches(patterns: readonly string[]): Prisma.Sql {
  const filter = branchFilter(patterns);
  if (filter === null) return Prisma.sql`true`;
  const inClass = Prisma.sql`u."branchClass" = ANY(${filter.classes}::text[])`;
  if (filter.names.length === 0) return inClass;
  return Prisma.sql`(${inClass} OR u."branch" LIKE ANY(${filter.names}::text[]))`;
}
