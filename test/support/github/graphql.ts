import { type Answer, GitHubRefusal, ok } from './answers';
import { latestReviews, missingApprovals, rulesOf } from './branch-rules';
import { levelOf, type ApiCaller } from './issued-tokens';
import { setDraft } from './pulls';
import type { PullRequest, RepositoryRecord } from './records';
import { nodeId } from './shapes/account';
import type { GitHubState } from './state';

/** Answers the service's only query, which asks for GitHub's view of the reviews of a pull request. */
export function answerGraphQl(state: GitHubState, caller: ApiCaller, body: Readonly<Record<string, unknown>>): Answer {
  if (caller.type === 'anonymous') throw new GitHubRefusal(401, 'This endpoint requires you to be authenticated.');
  const query = String(body.query);
  if (query.includes('convertPullRequestToDraft')) return convertToDraft(state, caller, body);
  if (!query.includes('reviewDecision') || !query.includes('reviewThreads'))
    return ok({ data: null, errors: [{ message: 'The double does not answer this question' }] });
  const { owner, name, number } = body.variables as { owner: string; name: string; number: number };
  const repository = state.findRepository(owner, name);
  const isKnown = repository !== null && levelOf(caller, repository, 'pull_requests') !== 'none';
  const pull = isKnown ? repository.pulls.get(number) : undefined;
  if (!isKnown || pull === undefined)
    return ok({ data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve' }] });
  const nodes = repository.threads
    .filter((thread) => thread.number === number)
    .map(({ isResolved }) => ({ isResolved }));
  const reviewThreads = { nodes, pageInfo: { hasNextPage: false, endCursor: null } };
  const latestOpinionatedReviews = {
    nodes: latestReviews(repository, pull).map(({ state: word, author }) => ({
      state: word,
      author: { login: author.login },
    })),
  };
  const pullRequest = { reviewDecision: decisionOn(repository, pull), reviewThreads, latestOpinionatedReviews };
  return ok({ data: { repository: { pullRequest } } });
}

/** Converts a pull request to a draft. Only people use this operation. */
function convertToDraft(state: GitHubState, caller: ApiCaller, body: Readonly<Record<string, unknown>>): Answer {
  const { id } = body.variables as { id: string };
  for (const repository of state.repositories.values())
    for (const pull of repository.pulls.values())
      if (nodeId('PR', pull.id) === id && caller.type === 'user')
        setDraft(state, repository, pull, caller.account, 'converted_to_draft');
  return ok({ data: { convertPullRequestToDraft: { clientMutationId: null } } });
}

function decisionOn(repository: RepositoryRecord, pull: PullRequest): string | null {
  const rules = rulesOf(repository, pull.base.ref).filter(
    ({ requiredApprovals, codeOwners, lastPush }) => requiredApprovals > 0 || codeOwners || lastPush,
  );
  if (rules.length === 0) return null;
  const missing = rules.flatMap((rule) => missingApprovals(repository, rule, pull));
  if (missing.some((words) => words.startsWith('Changes have been requested'))) return 'CHANGES_REQUESTED';
  return missing.length > 0 ? 'REVIEW_REQUIRED' : 'APPROVED';
}
