import { runGit } from '../bare-repository';
import { GiteaRefusal } from './refusal';
import { created, ok, pageOf, pullOf, type RepositoryRequest, requireAdmin, route, textOf } from './router';
import { branchShape, repositoryShape, reviewShape, timeOf, userShape } from './shapes';
import { type GiteaState, grantEverything, type Permission, type Repository, type Review, type Rule } from './state';

const EVENTS: Readonly<Record<string, Review['state']>> = {
  APPROVED: 'APPROVED',
  REQUEST_CHANGES: 'REQUEST_CHANGES',
  COMMENT: 'COMMENT',
};

/** Operations of people that the service never uses. */
export const PEOPLE_ROUTES = [
  route('repoDelete', 'DELETE', /^$/, (request) => {
    requireAdmin(request);
    request.state.removeRepository(request.repository);
    return { status: 204 };
  }),
  route('userCurrentDeleteSubscription', 'DELETE', /^\/subscription$/, () => ({ status: 204 })),
  route('repoAddCollaborator', 'PUT', /^\/collaborators\/([^/]+)$/, (request) => {
    requireAdmin(request);
    const { repository, body, parameters } = request;
    repository.permissions.set((parameters[0] ?? '').toLowerCase(), textOf(body, 'permission') as Permission);
    return { status: 204 };
  }),
  route('createFork', 'POST', /^\/forks$/, ({ state, repository, account, body }) => {
    const { description } = repository;
    const fork = state.addRepository(account.login, textOf(body, 'name'), repository, description);
    grantEverything(state, fork);
    return { ...created(repositoryShape(state, fork, account)), status: 202 };
  }),
  route('issueCreateIssue', 'POST', /^\/issues$/, ({ state, repository, body }) => {
    repository.highestNumber++;
    return created({ id: state.nextId(), number: repository.highestNumber, title: textOf(body, 'title') });
  }),
  route('repoCreatePullReview', 'POST', /^\/pulls\/(\d+)\/reviews$/, (request) => {
    const { state, happenings, repository, account, body } = request;
    const pull = pullOf(request);
    const said = EVENTS[textOf(body, 'event')] ?? 'COMMENT';
    if (pull.author === account && said !== 'COMMENT')
      throw new GiteaRefusal(422, `${said === 'APPROVED' ? 'approve' : 'reject'} your own pull is not allowed`);
    return ok(reviewShape(state, repository, happenings.review(repository, pull, said, account)));
  }),
  route('issueAddLabel', 'POST', /^\/issues\/(\d+)\/labels$/, (request) => {
    const { happenings, repository, account, body } = request;
    const pull = pullOf(request);
    for (const id of body.labels as number[]) {
      const label = repository.labels.find((one) => one.id === id);
      if (label !== undefined) happenings.setLabel(repository, pull, label.name, true, account);
    }
    return ok(pull.labels);
  }),
  route('issueGetCommentReactions', 'GET', /^\/issues\/comments\/(\d+)\/reactions$/, (request) => {
    const { state, repository, parameters } = request;
    const comment = repository.comments.find(({ id }) => id === Number(parameters[0]));
    const reactions = comment?.reactions ?? [];
    return pageOf(request, reactions, ({ user, content, at }) => ({
      ...{ user: userShape(state, user), content, created_at: timeOf(at) },
    }));
  }),
  route('repoRenameBranch', 'PATCH', /^\/branches\/(.+)$/, (request) => {
    const { state, happenings, repository, account, body, parameters } = request;
    const [from = ''] = parameters;
    const to = textOf(body, 'name');
    const commit = repository.branches.get(from);
    if (commit === undefined) throw new GiteaRefusal(404, `branch does not exist [name: ${from}]`);
    for (const pull of repository.pulls.values()) if (pull.base === from && pull.state === 'open') pull.base = to;
    repository.world.setBranch(to, commit);
    if (repository.defaultBranch === from) setDefaultBranch(repository, to);
    repository.world.removeBranch(from);
    happenings.noticeBranches(repository, account);
    return ok(branchShape(state, repository, to, account));
  }),
];

export function editRepository(state: GiteaState, repository: Repository, body: RepositoryRequest['body']): void {
  const { allow_manual_merge: marks, default_delete_branch_after_merge: removes } = body;
  if (typeof marks === 'boolean') repository.allowsManualMerge = marks;
  if (typeof removes === 'boolean') repository.removesMergedBranches = removes;
  if (typeof body.default_branch === 'string') setDefaultBranch(repository, body.default_branch);
  if (typeof body.name === 'string' && body.name !== repository.name) state.rename(repository, body.name);
}

function setDefaultBranch(repository: Repository, branch: string): void {
  runGit(repository.world.bare, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  repository.defaultBranch = branch;
}

/** The demands of a rule in a request, without the whitelists. */
export function demandsIn(body: RepositoryRequest['body']): Partial<Rule> {
  return {
    contexts: (body.status_check_contexts as string[] | undefined) ?? [],
    asksStatuses: body.enable_status_check === true,
    approvals: Number(body.required_approvals ?? 0),
    blocksOnRejection: body.block_on_rejected_reviews === true,
  };
}

/** The head that a request names, as `branch` or, for a fork, as `login:branch`. */
export function headIn(state: GiteaState, repository: Repository, said: string) {
  const [first = '', ...rest] = said.split(':');
  if (rest.length === 0) return { repository, branch: first };
  const forks = [...state.repositories.values()].filter(({ parent }) => parent === repository);
  const fork = forks.find(({ owner }) => owner.login.toLowerCase() === first.toLowerCase());
  if (fork === undefined) throw new GiteaRefusal(404, "The target couldn't be found.");
  return { repository: fork, branch: rest.join(':') };
}
