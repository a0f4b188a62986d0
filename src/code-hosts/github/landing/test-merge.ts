import type { BuildRequest, CandidateOutcome } from '../../../domain/code-host.port';
import type { GitHost } from '../../git/git-host';
import { listRefs } from '../../git/git-remote';
import { parentsOf, treeOf } from '../../git/objects';
import { filesBetween } from '../../git/rebase-difference';

const MOST_FILES = 5;

/**
 * Builds a candidate. If the button will merge the pull request, GitHub's own test merge of the same commits must have
 * the same tree. GitHub may use other merge drivers or limits than git, and would then write another tree than the
 * tested tree.
 */
export async function buildAsGitHubMerges(git: GitHost, request: BuildRequest): Promise<CandidateOutcome> {
  const built = await git.buildCandidate(request);
  const [only, ...others] = request.pullRequests;
  if (built.type !== 'built' || only === undefined || others.length > 0) return built;
  if (!request.isMergedByHost || request.onto !== request.targetTip || built.alreadyThere || built.contained)
    return built;
  const clone = await git.clone(request.repository);
  const ref = `refs/pull/${only.number}/merge`;
  const commit = (await listRefs(clone.remote, [ref])).get(ref);
  const [merged] = commit === undefined ? [] : await clone.commits([{ commit }]);
  // GitHub makes the test merge some time after a push. A test merge of other commits says nothing.
  if (merged == null || parentsOf(merged).join(' ') !== `${request.onto} ${only.head}`) return built;
  if (treeOf(merged) === built.tree) return built;
  const files = await filesBetween(clone, built.tree, treeOf(merged));
  const named = files.slice(0, MOST_FILES).map((file) => `\`${file}\``);
  const why = `GitHub merges ${named.join(', ')}${files.length > MOST_FILES ? ' and others' : ''} differently from git: rebase the branch.`;
  return { type: 'refused', number: only.number, why };
}
