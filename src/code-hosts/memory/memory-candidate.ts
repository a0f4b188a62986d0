import type { BuildRequest, CandidateOutcome } from '../../domain/code-host.port';
import { findOtherSide } from '../conflict-side';
import { withoutCommitIn } from '../without-commit';
import { buildMemoryChain, emptyCommit, type MemoryChain } from './memory-chain';
import type { MemoryRepository } from './memory-repository';

/** Builds a candidate. `around` runs the build, with the faults that a test has planned for it. */
export async function buildInMemory(
  place: MemoryRepository,
  request: BuildRequest,
  around: (build: () => MemoryChain) => Promise<MemoryChain>,
): Promise<CandidateOutcome> {
  for (const { number } of request.pullRequests) {
    const why = place.pullRequests.get(number)?.poison ?? null;
    if (why !== null) return { type: 'refused', number, why };
  }
  const outcome = await around(() => buildMemoryChain(place.objects, request));
  if (outcome.type === 'missing_commit') return outcome;
  if (outcome.type === 'conflict') {
    return findOtherSide(request, outcome, {
      mergeOntoTarget: (pullRequests) =>
        Promise.resolve(
          buildMemoryChain(place.objects, { ...request, onto: request.targetTip, alreadyMerged: [], pullRequests }),
        ),
      touches: () => Promise.resolve(true),
    });
  }
  const last = outcome.links.at(-1)?.commit;
  const isNew = last !== undefined && last !== request.onto;
  const { id: commit, tree } = isNew ? place.objects.get(last) : emptyCommit(place.objects, request);
  return { type: 'built', commit, tree, ...withoutCommitIn(request.onto, outcome.links) };
}
