import type { PullRequestObservation } from '../../domain/code-host.port';
import type { StartTestRun } from '../../engine/commands';
import type { NotStarted } from '../../engine/events';
import type { Clock } from '../../platform/clock/clock';
import type { PrismaService } from '../../platform/database/prisma.service';
import type { TaskContext } from '../task';

const AT_ONCE = 8;

/** The run's own pull requests as the host shows them now. One that is gone is seen as closed. */
export async function lookAtOwn(
  { command, host, repository, targetBranch }: TaskContext<StartTestRun>,
  prisma: PrismaService,
  clock: Clock,
): Promise<PullRequestObservation[]> {
  const seen: PullRequestObservation[] = [];
  for (let from = 0; from < command.own.length; from += AT_ONCE) {
    const some = command.own.slice(from, from + AT_ONCE);
    const looks = some.map(async ({ number }) => {
      const askedAt = clock.now();
      const answer = await host.readPullRequest(repository, number, targetBranch);
      return answer ?? goneSince(prisma, repository.id, number, askedAt);
    });
    seen.push(...(await Promise.all(looks)));
  }
  return seen;
}

async function goneSince(
  prisma: PrismaService,
  repositoryId: string,
  number: number,
  at: Date,
): Promise<PullRequestObservation> {
  const row = await prisma.pullRequest.findUniqueOrThrow({ where: { repositoryId_number: { repositoryId, number } } });
  const { title, body, author, authorEmail, url, headBranch, draft } = row;
  const known = { number, title, body, author, authorEmail, url, headBranch, draft };
  return {
    ...known,
    head: row.headSha,
    base: row.baseBranch,
    state: 'closed',
    mergeability: 'unspecified',
    observedAt: at,
  };
}

/** Why the run cannot start as it was ordered; null when nothing stands against it. */
export function objectionTo(
  { command, targetBranch }: TaskContext<StartTestRun>,
  seen: readonly PullRequestObservation[],
): NotStarted | null {
  const isAsOrdered = (pr: PullRequestObservation, i: number): boolean =>
    pr.head === command.own[i]!.head &&
    pr.state === 'open' &&
    !pr.draft &&
    (pr.base === null || pr.base === targetBranch);
  if (!seen.every(isAsOrdered)) return { type: 'pull_request_changed' };
  if (command.keepsBase) return null;
  const unknown = seen.filter(({ mergeability }) => mergeability === 'in_progress' || mergeability === 'unspecified');
  return unknown.length > 0 ? { type: 'mergeability_unknown', numbers: numbersOf(unknown) } : null;
}

/**
 * Asked only after a clean build: whether there is a conflict is decided by our own merge, not by the host's word, which
 * is about the target as it is now and says nothing about a base that was kept.
 */
export function hostObjection(
  { command }: TaskContext<StartTestRun>,
  seen: readonly PullRequestObservation[],
): NotStarted | null {
  if (command.keepsBase) return null;
  const refused = seen.filter((pr) => pr.mergeability === 'not_mergeable');
  return refused.length > 0 ? { type: 'not_mergeable', numbers: numbersOf(refused) } : null;
}

function numbersOf(seen: readonly PullRequestObservation[]): number[] {
  return seen.map((pr) => pr.number);
}
