import type { TestCase } from '../../../../generated/prisma/client';
import type { PrismaService } from '../../../../platform/database/prisma.service';
import { patternOf } from '../../rules/random-parts';
import { testCaseId } from '../../rules/test-identity';
import { Workspace } from '../../rules/workspace';
import { activeMoves } from '../moves/active-moves';

/** A test that a client names by its id, or by its identity in a report. */
interface NamedTest {
  readonly id?: string;
  readonly name?: string;
  readonly classname?: string;
  readonly parent?: string;
  readonly file?: string;
  readonly variant?: string;
}

export interface KnownName {
  /** The id of the test, or, for an unknown test, the id that it would have. */
  readonly id: string;
  readonly row: TestCase | undefined;
}

/** The tests to which results with these names would belong, in the order of `tests`. */
export async function knownTests(
  prisma: PrismaService,
  repositoryId: string,
  repository: { readonly owner: string; readonly name: string },
  tests: readonly NamedTest[],
): Promise<readonly KnownName[]> {
  const workspace = new Workspace(repository, null);
  const asked = tests.map((test) => candidatesOf(repositoryId, workspace, test));
  const moved = new Map(
    (await activeMoves(prisma, repositoryId)).flatMap(({ testCaseId, movedIds, formerIds }) =>
      [testCaseId, ...movedIds, ...formerIds].map((id) => [id, testCaseId] as const),
    ),
  );
  const ids = [
    ...new Set(asked.flatMap(({ own, former, pattern }) => [moved.get(own) ?? own, former, pattern ?? own])),
  ];
  const rows = await prisma.testCase.findMany({
    where: { repositoryId, OR: [{ id: { in: ids } }, { identityId: { in: ids } }] },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byIdentity = new Map(rows.map((row) => [row.identityId ?? row.id, row]));
  return asked.map(({ own, former, pattern, isId }) => {
    // For a moved test, the former name no longer finds it.
    const row = isId
      ? byId.get(moved.get(own) ?? own)
      : (byId.get(moved.get(own) ?? '') ??
        byIdentity.get(own) ??
        byIdentity.get(former) ??
        byIdentity.get(pattern ?? own));
    return { id: row?.id ?? own, row };
  });
}

interface Candidates {
  readonly own: string;
  readonly former: string;
  readonly pattern: string | null;
  readonly isId: boolean;
}

function candidatesOf(repositoryId: string, workspace: Workspace, test: NamedTest): Candidates {
  const { id, name = '', classname = '', parent = '', file = '', variant = '' } = test;
  if (id !== undefined) return { own: id.toLowerCase(), former: id.toLowerCase(), pattern: null, isId: true };
  const identity = workspace.identityOf({ name, classname, parent, file }, variant);
  const pattern = patternOf(identity);
  return {
    own: testCaseId(repositoryId, identity),
    former: testCaseId(repositoryId, { name, classname, parent, file, variant }),
    pattern: pattern === null ? null : testCaseId(repositoryId, pattern),
    isId: false,
  };
}
