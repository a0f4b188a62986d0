import type { CommitState, StatusReport, UnmetDemand } from '../../../domain/code-host.port';
import { matchesGlob } from '../../../domain/glob-set';
import type { ProtectionDemands } from './branch-demands';
import { BoundedMap } from '../../bounded-map';
import { type RepositoryPath, repositoryKey } from '../../repository-path';

const MOST_REPOSITORIES = 1_000;
/** If several reports match a pattern, the report whose state comes first in this list decides. */
const WORST_FIRST: readonly CommitState[] = [
  ...(['failure', 'error', 'cancelled', 'runner_lost'] as const),
  ...(['pending', 'success', 'skipped'] as const),
];

/** Whether an entry of a protection is a pattern. Protections list names of statuses, and patterns for names. */
export function isPattern(context: string): boolean {
  return /[*?[\]{}]/.test(context);
}

/** The worst of the matching reports, with the pattern as its name; null if no report matches. */
export function reportOfPattern(pattern: string, reports: readonly StatusReport[]): StatusReport | null {
  const matching = reports.filter(({ name }) => matchesGlob(pattern, name, 'gitea'));
  const worst = worstOf(matching);
  if (worst === null) return null;
  // The time is that of the newest report, because any change makes a newer report.
  const newest = matching.reduce((a, b) => (Number(b.hostId) > Number(a.hostId) ? b : a));
  return { ...worst, name: pattern, hostTime: newest.hostTime, hostId: newest.hostId };
}

export function worstOf(reports: readonly StatusReport[]): StatusReport | null {
  return reports.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state))[0] ?? null;
}

/** The demanded statuses that have not passed. `commit`: how the texts name the commit. */
export function unmetContexts(
  contexts: readonly string[],
  reports: readonly StatusReport[],
  commit: string,
): readonly UnmetDemand[] {
  return contexts.flatMap((context) => {
    const report = reportOfPattern(isPattern(context) ? context : escapedPattern(context), reports);
    return unmetStatus(context, report, commit);
  });
}

/** The unmet demands of a branch on the statuses of a commit. */
export function unmetStatuses(
  { contexts, demandsAnyStatus }: Pick<ProtectionDemands, 'contexts' | 'demandsAnyStatus'>,
  reports: readonly StatusReport[],
  commit: string,
): readonly UnmetDemand[] {
  if (!demandsAnyStatus) return unmetContexts(contexts, reports, commit);
  if (reports.length === 0) return [{ words: `a status on ${commit} (none is reported yet)`, isPending: true }];
  return reports.flatMap((report) => unmetStatus(report.name, report, commit));
}

function unmetStatus(name: string, report: StatusReport | null, commit: string): readonly UnmetDemand[] {
  if (report?.state === 'success' || report?.state === 'skipped') return [];
  const standing = report === null ? 'not reported yet' : report.state === 'pending' ? 'still running' : 'failed';
  const words = `the status "${name}" on ${commit} (${standing})`;
  if (standing === 'failed') return [{ words }];
  return [{ words, isPending: true, ...(standing === 'still running' && { isRunning: true }) }];
}

/** The status patterns that branches of repositories demand, as far as this process has read them. */
export class KnownPatterns {
  private readonly patterns = new BoundedMap<readonly string[]>(MOST_REPOSITORIES);

  /** The patterns of a repository; null if nothing of the repository has been read yet. */
  of(repository: RepositoryPath): readonly string[] | null {
    return this.patterns.get(repositoryKey(repository)) ?? null;
  }

  learn(repository: RepositoryPath, contexts: readonly string[]): void {
    const known = this.of(repository) ?? [];
    this.patterns.set(repositoryKey(repository), [...new Set([...known, ...contexts.filter(isPattern)])]);
  }
}

function escapedPattern(name: string): string {
  return name.replaceAll('\\', '\\\\');
}
