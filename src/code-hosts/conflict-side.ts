import type { BuildRequest, CandidateOutcome, PullRequestAtHead } from '../domain/code-host.port';

type Conflict = Extract<CandidateOutcome, { type: 'conflict' }>;

export type Attempt =
  | { readonly type: 'built' }
  | { readonly type: 'conflict'; readonly number: number; readonly files: readonly string[] }
  | { readonly type: 'missing_commit'; readonly commit: string };

export interface ConflictQuestions {
  /** Whether these merge onto the target's tip, one after another. */
  mergeOntoTarget(pullRequests: readonly PullRequestAtHead[]): Promise<Attempt>;
  /** Whether the pull request changes one of the files; a cheap no spares a merge. */
  touches(pullRequest: PullRequestAtHead, files: readonly string[]): Promise<boolean>;
}

/** Names the other side of a conflict met while building `order`: the target itself, or a pull request merged before. */
export async function findOtherSide(
  order: BuildRequest,
  conflict: { readonly number: number; readonly files: readonly string[] },
  ask: ConflictQuestions,
): Promise<CandidateOutcome> {
  const { number, files } = conflict;
  const at = order.pullRequests.findIndex((one) => one.number === number);
  const refused = order.pullRequests[at];
  if (refused === undefined) throw new Error(`#${number} conflicts but was not to be merged`);
  const alone = await ask.mergeOntoTarget([refused]);
  if (alone.type === 'missing_commit') return alone;
  if (alone.type === 'conflict') return { type: 'conflict', number, with: 'target', files: alone.files };

  const before = [...order.alreadyMerged, ...order.pullRequests.slice(0, at)];
  const conflictWith = (other: Conflict['with']): Conflict => ({ type: 'conflict', number, with: other, files });
  for (const suspect of before.toReversed()) {
    if (!(await ask.touches(suspect, files))) continue;
    const without = await ask.mergeOntoTarget([...before.filter((one) => one !== suspect), refused]);
    if (without.type === 'built') return conflictWith(suspect.number);
  }
  // None alone: the one directly before it. Nothing before it: what is ahead is not known, so the base is the other side.
  return conflictWith(before.at(-1)?.number ?? 'target');
}
