import type { BuildRequest, CandidateOutcome, ConflictingFiles, PullRequestAtHead } from '../domain/code-host.port';

type Conflict = Extract<CandidateOutcome, { type: 'conflict' }>;

export type Attempt =
  | { readonly type: 'built' }
  | (ConflictingFiles & { readonly type: 'conflict'; readonly number: number })
  | { readonly type: 'missing_commit'; readonly commit: string }
  | { readonly type: 'refused'; readonly number: number; readonly why: string };

export interface ConflictQuestions {
  /** Merges these pull requests onto the target's tip, one after another. */
  mergeOntoTarget(pullRequests: readonly PullRequestAtHead[]): Promise<Attempt>;
  /** Whether the pull request changes one of the files. If it does not, a merge is saved. */
  touches(pullRequest: PullRequestAtHead, files: readonly string[]): Promise<boolean>;
}

/**
 * Finds with what a pull request conflicts: with the target itself, or with a pull request that was merged before it.
 */
export async function findOtherSide(
  request: BuildRequest,
  conflict: ConflictingFiles & { readonly number: number },
  ask: ConflictQuestions,
): Promise<CandidateOutcome> {
  const { number, files } = conflict;
  const where = whereOf(conflict);
  const at = request.pullRequests.findIndex((one) => one.number === number);
  const refused = request.pullRequests[at];
  if (refused === undefined) throw new Error(`#${number} conflicts, but the request does not contain it`);
  const alone = await ask.mergeOntoTarget([refused]);
  if (alone.type === 'missing_commit' || alone.type === 'refused') return alone;
  if (alone.type === 'conflict') return { type: 'conflict', number, with: 'target', ...whereOf(alone) };

  const before = [...request.alreadyMerged, ...request.pullRequests.slice(0, at)];
  const conflictWith = (other: Conflict['with']): Conflict => ({ type: 'conflict', number, with: other, ...where });
  for (const suspect of before.toReversed()) {
    if (!(await ask.touches(suspect, files))) continue;
    const without = await ask.mergeOntoTarget([...before.filter((one) => one !== suspect), refused]);
    if (without.type === 'built') return conflictWith(suspect.number);
  }
  // If no single pull request explains the conflict, the pull request directly before is named, or the target if there
  // is none.
  return conflictWith(before.at(-1)?.number ?? 'target');
}

/** The files and reasons of a conflict, without its other fields. */
export function whereOf({ files, reasons }: ConflictingFiles): ConflictingFiles {
  return { files, ...(reasons && { reasons }) };
}
