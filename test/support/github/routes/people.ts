import { created, NO_CONTENT, notFound, ok } from '../answers';
import { pageOf, requiredTextOf, type PlainRoute, type RepositoryRoute, type Route } from '../router';
import { RepositoryDouble } from '../repository-double';
import type { ReviewRecord } from '../records';
import { reviewShape } from '../shapes/comment';
import { fullRepositoryShape } from '../shapes/repository';
import { setDefaultBranch, renameBranch } from '../default-branch';
import { wantedPull } from './pulls';

const ROOT = '/repos/{owner}/{repo}';
const WRITING = { for: 'repository', permissions: ['administration'], level: 'write' } as const;
const READING = { for: 'repository', permissions: ['metadata'], level: 'read' } as const;
const VERDICTS: Readonly<Record<string, ReviewRecord['state']>> = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
};
const LEVELS = { push: 'write', pull: 'read' } as const;

const MAKE_REPOSITORY: PlainRoute = {
  ...{ operation: 'repos/create-in-org', method: 'POST', path: '/orgs/{org}/repos', for: 'anybody' },
  handle: ({ state, caller, parameters, body }) => {
    const [owner, name] = [parameters.org ?? '', requiredTextOf(body, 'name')];
    if (caller.type !== 'user' || state.accounts.find(owner)?.type !== 'Organization') throw notFound();
    const record = state.addRepository(owner, name, { description: requiredTextOf(body, 'description') });
    record.permissions.set(caller.account.login.toLowerCase(), 'admin');
    const made = new RepositoryDouble(state, record);
    record.world.removeBranch('main');
    record.branches = new Map();
    return created(fullRepositoryShape(state, made.record));
  },
};

const OF_REPOSITORIES: readonly RepositoryRoute[] = [
  {
    ...{ operation: 'repos/delete', method: 'DELETE', path: ROOT, ...WRITING },
    handle: ({ state, repository }) => {
      state.removeRepository(repository);
      return NO_CONTENT;
    },
  },
  {
    ...{ operation: 'repos/update', method: 'PATCH', path: ROOT, ...WRITING },
    handle: ({ state, repository, body }) => {
      if (typeof body.name === 'string') state.rename(repository, repository.owner, body.name);
      if (typeof body.default_branch === 'string') setDefaultBranch(repository, body.default_branch);
      return ok(fullRepositoryShape(state, repository));
    },
  },
  {
    ...{ operation: 'repos/rename-branch', method: 'POST', path: `${ROOT}/branches/{branch}/rename`, ...WRITING },
    handle: ({ state, repository, account, parameters, body }) => {
      renameBranch(state, repository, parameters.branch ?? '', requiredTextOf(body, 'new_name'), account);
      return created({ name: body.new_name });
    },
  },
  {
    ...{ operation: 'activity/set-repo-subscription', method: 'PUT', path: `${ROOT}/subscription`, ...READING },
    handle: () => ok({ ignored: true, subscribed: false }),
  },
  {
    ...{ operation: 'repos/add-collaborator', method: 'PUT', path: `${ROOT}/collaborators/{username}`, ...WRITING },
    handle: ({ repository, parameters, body }) => {
      const level = LEVELS[requiredTextOf(body, 'permission') as keyof typeof LEVELS];
      repository.permissions.set((parameters.username ?? '').toLowerCase(), level);
      return NO_CONTENT;
    },
  },
  {
    ...{ operation: 'repos/create-fork', method: 'POST', path: `${ROOT}/forks`, ...READING },
    handle: ({ state, repository, account, body }) => {
      const { description, private: isPrivate } = repository;
      const options = { parent: repository, private: isPrivate, description: description ?? '' };
      const record = state.addRepository(account.login, requiredTextOf(body, 'name'), options);
      for (const [login, permission] of repository.permissions)
        if (permission === 'admin') record.permissions.set(login, 'admin');
      return { ...created(fullRepositoryShape(state, new RepositoryDouble(state, record).record)), status: 202 };
    },
  },
];

const OF_PULLS: readonly RepositoryRoute[] = [
  {
    ...{ operation: 'issues/create', method: 'POST', path: `${ROOT}/issues`, ...READING },
    handle: ({ state, repository, body }) => {
      repository.highestNumber++;
      return created({ id: state.nextId(), number: repository.highestNumber, title: requiredTextOf(body, 'title') });
    },
  },
  {
    ...{ operation: 'pulls/create-review', method: 'POST', path: `${ROOT}/pulls/{pull_number}/reviews`, ...READING },
    handle: (request) => {
      const { state, repository, account, body } = request;
      const { number } = wantedPull(request);
      const verdict = VERDICTS[requiredTextOf(body, 'event')] ?? 'COMMENTED';
      new RepositoryDouble(state, repository).review(number, verdict, account.login);
      return ok(reviewShape(state, repository, repository.reviews.at(-1)!));
    },
  },
  {
    ...{ operation: 'reactions/list-for-issue-comment', method: 'GET' },
    ...{ path: `${ROOT}/issues/comments/{comment_id}/reactions`, ...READING },
    handle: (request) => {
      const { repository, parameters } = request;
      const comment = repository.comments.find(({ id }) => id === Number(parameters.comment_id));
      const { items, headers } = pageOf(request, comment?.reactions ?? []);
      return ok(
        items.map(({ id, content }) => ({ id, content })),
        headers,
      );
    },
  },
];

interface AskedRules {
  readonly required_status_checks: { readonly contexts: readonly string[] } | null;
  readonly required_pull_request_reviews: { readonly required_approving_review_count: number } | null;
}

const OF_RULES: readonly RepositoryRoute[] = [
  {
    ...{ operation: 'repos/update-branch-protection', method: 'PUT', path: `${ROOT}/branches/{branch}/protection` },
    ...WRITING,
    handle: ({ state, repository, parameters, body }) => {
      const { required_status_checks: checks, required_pull_request_reviews: reviews } = body as unknown as AskedRules;
      new RepositoryDouble(state, repository).protect(parameters.branch ?? '', {
        requiredContexts: checks?.contexts ?? [],
        requiredApprovals: reviews?.required_approving_review_count ?? 0,
      });
      return ok({});
    },
  },
  {
    ...{ operation: 'repos/create-repo-ruleset', method: 'POST', path: `${ROOT}/rulesets`, ...WRITING },
    handle: ({ state, repository, body }) => {
      const { conditions } = body as { conditions: { ref_name: { include: readonly string[] } } };
      for (const ref of conditions.ref_name.include) {
        const branch = ref.replace('refs/heads/', '');
        new RepositoryDouble(state, repository).protect(branch, { kind: 'ruleset', restrictsCreation: true });
      }
      return created({ id: state.nextId() });
    },
  },
];

/** Operations that only people use, so they are not compared with GitHub's description. */
export const PEOPLE_ROUTES: readonly Route[] = [MAKE_REPOSITORY, ...OF_REPOSITORIES, ...OF_PULLS, ...OF_RULES];
