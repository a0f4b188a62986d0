import type { Answer } from '../forge/answer';
import { resolveCommit } from '../forge/git';
import { demandsIn, editRepository, headIn, PEOPLE_ROUTES } from './people-routes';
import { GiteaRefusal, textIn } from './refusal';
import {
  BIGGEST_PAGE,
  created,
  type GiteaRequest,
  ok,
  pageIn,
  pageOf,
  pullOf,
  type RepositoryRequest,
  requireAdmin,
  type Route,
  route,
  textOf,
  USUAL_PAGE,
} from './router';
import { ACCOUNT_ROUTES } from './account-routes';
import { COMMIT_ROUTES } from './commit-routes';
import {
  branchShape,
  commentShape,
  isMergeable,
  issueShape,
  labelEventShape,
  labelShape,
  pullShape,
  repositoryShape,
  reviewShape,
  ruleShape,
  statusShape,
  timeOf,
  userShape,
} from './shapes';
import { type Hook, mayWrite, NO_DEMANDS, permissionOf, type Rule, type StatusState } from './state';
import { WORKFLOW_ROUTES } from './workflow-routes';

/** Routes with paths relative to the API root. */
export const SERVER_ROUTES: readonly Route<GiteaRequest>[] = [
  {
    operation: 'getVersion',
    method: 'GET',
    pattern: /^\/version$/,
    handle: ({ state }) => ok({ version: state.isForgejo ? '16.0.1+gitea-1.22.0' : '1.23.1' }),
  },
  {
    operation: 'getGeneralAPISettings',
    method: 'GET',
    pattern: /^\/settings\/api$/,
    handle: () =>
      ok({
        ...{ max_response_items: BIGGEST_PAGE, default_paging_num: USUAL_PAGE },
        ...{ default_git_trees_per_page: 1_000, default_max_blob_size: 10_485_760 },
      }),
  },
  {
    operation: 'userGetCurrent',
    method: 'GET',
    pattern: /^\/user$/,
    handle: ({ state, account }) => {
      return ok({ ...userShape(state, account), is_admin: state.administrators.has(account.login.toLowerCase()) });
    },
  },
  ...ACCOUNT_ROUTES,
];

/**
 * Routes with paths relative to a repository. Routes that write need write access, except for comments and reactions.
 */
export const REPOSITORY_ROUTES: readonly Route<RepositoryRequest>[] = [
  ...WORKFLOW_ROUTES,
  ...COMMIT_ROUTES,
  ...PEOPLE_ROUTES,
  route('repoGet', 'GET', /^$/, ({ state, repository, account }) => ok(repositoryShape(state, repository, account))),
  route('repoListBranches', 'GET', /^\/branches$/, (request) => {
    const { state, repository, account } = request;
    return pageOf(request, [...repository.branches.keys()], (one) => branchShape(state, repository, one, account));
  }),
  route('repoGetBranch', 'GET', /^\/branches\/(.+)$/, ({ state, repository, account, parameters: [branch = ''] }) => {
    if (!repository.branches.has(branch)) throw new GiteaRefusal(404, `branch does not exist [name: ${branch}]`);
    return ok(branchShape(state, repository, branch, account));
  }),
  route('repoListBranchProtection', 'GET', /^\/branch_protections$/, (request) => {
    requireAdmin(request);
    return ok(request.repository.rules.map(ruleShape));
  }),
  route('repoGetBranchProtection', 'GET', /^\/branch_protections\/([^/]+)$/, (request) => {
    requireAdmin(request);
    const rule = request.repository.rules.find(({ name }) => name === request.parameters[0]);
    if (rule === undefined) throw new GiteaRefusal(404, "The target couldn't be found.");
    return ok(ruleShape(rule));
  }),
  route('repoListHooks', 'GET', /^\/hooks$/, (request) => {
    requireAdmin(request);
    return pageOf(request, request.repository.hooks, hookShape);
  }),
  route('repoCreateHook', 'POST', /^\/hooks$/, (request) => {
    requireAdmin(request);
    const { state, repository, body } = request;
    const { url = '', secret = '' } = body.config as { url?: string; secret?: string };
    const hook: Hook = {
      id: state.nextId(),
      url,
      secret,
      active: body.active === true,
      events: body.events as string[],
    };
    repository.hooks.push(hook);
    if (state.deliversToHooks) state.webhooks.deliverTo(url, secret);
    return created(hookShape(hook));
  }),
  route('repoEditHook', 'PATCH', /^\/hooks\/(\d+)$/, (request) => {
    requireAdmin(request);
    const { repository, parameters, body } = request;
    const hook = repository.hooks.find(({ id }) => id === Number(parameters[0]));
    if (hook === undefined) throw new GiteaRefusal(404, "The target couldn't be found.");
    const { secret = hook.secret } = body.config as { secret?: string };
    Object.assign(hook, { secret, active: body.active ?? hook.active, events: body.events ?? hook.events });
    return ok(hookShape(hook));
  }),
  route('repoEdit', 'PATCH', /^$/, (request) => {
    requireAdmin(request);
    const { state, repository, account, body } = request;
    editRepository(state, repository, body);
    return ok(repositoryShape(state, repository, account));
  }),
  route('repoCreateBranchProtection', 'POST', /^\/branch_protections$/, (request) => {
    requireAdmin(request);
    const { repository, body } = request;
    const name = textOf(body, 'rule_name');
    if (repository.rules.some((rule) => rule.name === name))
      throw new GiteaRefusal(403, 'Branch protection already exist');
    const rule: Rule = { ...NO_DEMANDS, name, ...demandsIn(body), ...whitelistsIn(body, NO_DEMANDS) };
    repository.rules.push(rule);
    return created(ruleShape(rule));
  }),
  route('repoEditBranchProtection', 'PATCH', /^\/branch_protections\/([^/]+)$/, (request) => {
    requireAdmin(request);
    const { repository, parameters, body } = request;
    const at = repository.rules.findIndex(({ name }) => name === parameters[0]);
    const rule = repository.rules[at];
    if (rule === undefined) throw new GiteaRefusal(404, "The target couldn't be found.");
    repository.rules[at] = { ...rule, ...whitelistsIn(body, rule) };
    return ok(ruleShape(repository.rules[at]));
  }),
  route('issueListLabels', 'GET', /^\/labels$/, (request) =>
    pageOf(request, request.repository.labels, (label) => labelShape(request.state, label)),
  ),
  route('issueCreateLabel', 'POST', /^\/labels$/, ({ state, repository, body }) => {
    const label = { id: state.nextId(), name: textOf(body, 'name') };
    textOf(body, 'color');
    repository.labels.push(label);
    return created(labelShape(state, label));
  }),
  route('repoListPullRequests', 'GET', /^\/pulls$/, (request) => {
    const { state, repository, query } = request;
    const wanted = query.get('state') ?? 'open';
    const found = [...repository.pulls.values()]
      .filter((pull) => wanted === 'all' || pull.state === wanted)
      .sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime() || b.number - a.number);
    return pageOf(request, found, (pull) => pullShape(state, repository, pull));
  }),
  route('repoCreatePullRequest', 'POST', /^\/pulls$/, ({ state, happenings, repository, account, body }) => {
    const head = headIn(state, repository, textOf(body, 'head'));
    const wanted = { title: textOf(body, 'title'), body: textIn(body, 'body'), author: account, head };
    const pull = happenings.open(repository, { ...wanted, base: textOf(body, 'base') });
    return created(pullShape(state, repository, pull));
  }),
  route('repoGetPullRequest', 'GET', /^\/pulls\/(\d+)$/, (request) => {
    const { state, repository } = request;
    const pull = pullOf(request);
    return ok(pullShape(state, repository, pull, isMergeable(repository, pull)));
  }),
  route('repoEditPullRequest', 'PATCH', /^\/pulls\/(\d+)$/, (request) => {
    const { state, happenings, repository, account, body } = request;
    const pull = pullOf(request);
    const edit = { title: body.title as string | undefined, base: body.base as string | undefined };
    if (edit.title !== undefined || edit.base !== undefined) happenings.edit(repository, pull, edit, account);
    if (body.state === 'closed') happenings.close(repository, pull, account);
    return created(pullShape(state, repository, pull));
  }),
  route('repoMergePullRequest', 'POST', /^\/pulls\/(\d+)\/merge$/, (request) => {
    request.happenings.merge(request.repository, pullOf(request), request.body, request.account);
    return { status: 200 };
  }),
  route('repoListPullReviews', 'GET', /^\/pulls\/(\d+)\/reviews$/, (request) => {
    const { state, repository } = request;
    const { number } = pullOf(request);
    const found = repository.reviews.filter((review) => review.number === number);
    return pageOf(request, found, (review) => reviewShape(state, repository, review));
  }),
  route('repoListStatusesByRef', 'GET', /^\/commits\/([0-9a-f]{40})\/statuses$/, (request) => {
    const { state, repository, parameters } = request;
    const [sha = ''] = parameters;
    if (resolveCommit(repository.world.bare, sha) === null) throw new GiteaRefusal(404, '');
    const found = repository.statuses.filter((status) => status.sha === sha).toReversed();
    return pageOf(request, found, (status) => statusShape(state, status));
  }),
  route('repoCreateStatus', 'POST', /^\/statuses\/([0-9a-f]{40})$/, (request) => {
    const { state, happenings, repository, account, body, parameters } = request;
    const facts = { sha: parameters[0] ?? '', context: textIn(body, 'context', 'default'), creator: account };
    const said = { description: textIn(body, 'description'), targetUrl: textIn(body, 'target_url') };
    const status = textOf(body, 'state') as StatusState;
    return created(statusShape(state, happenings.addStatus(repository, { ...facts, ...said, status })));
  }),
  route('issueGetRepoComments', 'GET', /^\/issues\/comments$/, (request) => {
    const { state, repository } = request;
    const found = repository.comments.filter(({ updatedAt }) => isSince(request, updatedAt));
    return pageOf(request, found, (comment) => commentShape(state, repository, comment));
  }),
  route('issueEditComment', 'PATCH', /^\/issues\/comments\/(\d+)$/, (request) => {
    const { state, happenings, repository, account, body } = request;
    const comment = commentOf(request);
    happenings.editComment(repository, comment, textOf(body, 'body'), account);
    return ok(commentShape(state, repository, comment));
  }),
  route('issuePostCommentReaction', 'POST', /^\/issues\/comments\/(\d+)\/reactions$/, (request) => {
    const { state, account: user, body } = request;
    const { reactions } = commentOf(request);
    const content = textOf(body, 'content');
    const known = reactions.find((one) => one.user === user && one.content === content);
    const reaction = known ?? { user, content, at: state.now() };
    if (known === undefined) reactions.push(reaction);
    const shape = { user: userShape(state, user), content, created_at: timeOf(reaction.at) };
    return known === undefined ? created(shape) : ok(shape);
  }),
  route('issueGetComments', 'GET', /^\/issues\/(\d+)\/comments$/, (request) => {
    const { state, repository } = request;
    const { number } = pullOf(request);
    const found = repository.comments.filter((comment) => comment.number === number);
    return ok(found.map((comment) => commentShape(state, repository, comment)));
  }),
  route('issueCreateComment', 'POST', /^\/issues\/(\d+)\/comments$/, (request) => {
    const { state, happenings, repository, account, body } = request;
    const comment = happenings.addComment(repository, pullOf(request).number, textOf(body, 'body'), account);
    return created(commentShape(state, repository, comment));
  }),
  route('issueListIssues', 'GET', /^\/issues$/, (request) => {
    const { state, repository } = request;
    const found = [...repository.pulls.values()].filter(({ updatedAt }) => isSince(request, updatedAt));
    return pageOf(request, found, (pull) => issueShape(state, repository, pull));
  }),
  route('issueGetCommentsAndTimeline', 'GET', /^\/issues\/(\d+)\/timeline$/, (request) => {
    const { state, repository } = request;
    const { number, commentsOnCode } = pullOf(request);
    const found = repository.labelEvents.filter((event) => event.number === number && isSince(request, event.at));
    const shapes = found.map((event) => labelEventShape(state, repository, event));
    return timelinePageOf(request, commentsOnCode, shapes);
  }),
  route('issueGetLabels', 'GET', /^\/issues\/(\d+)\/labels$/, (request) =>
    ok(pullOf(request).labels.map((label) => labelShape(request.state, label))),
  ),
  route('issueRemoveLabel', 'DELETE', /^\/issues\/(\d+)\/labels\/([^/]+)$/, (request) => {
    const { state, happenings, repository, account, parameters } = request;
    const byName = state.isForgejo ? repository.labels.find(({ name }) => name === parameters[1]) : undefined;
    const label = byName ?? repository.labels.find(({ id }) => id === Number(parameters[1]));
    if (label === undefined) throw new GiteaRefusal(422, 'label does not exist');
    happenings.setLabel(repository, pullOf(request), label.name, false, account);
    return { status: 204 };
  }),
  route('repoGetRepoPermissions', 'GET', /^\/collaborators\/([^/]+)\/permission$/, (request) => {
    const { state, repository, account, parameters } = request;
    const [login = ''] = parameters;
    if (permissionOf(repository, account) !== 'admin' && account.login !== login)
      throw new GiteaRefusal(403, 'Only admins can query all permissions, repo admins can query all repo permissions');
    const asked = state.accounts.find(login);
    if (asked === null) throw new GiteaRefusal(404, 'user does not exist');
    const permission = permissionOf(repository, asked);
    return ok({ permission, role_name: permission, user: userShape(state, asked) });
  }),
  route('repoGetAssignees', 'GET', /^\/assignees$/, ({ state, repository }) => {
    const logins = [...repository.permissions.keys()].map((login) => state.accounts.of(login));
    return ok(logins.filter((one) => mayWrite(repository, one)).map((one) => userShape(state, one)));
  }),
];

export const WITHOUT_WRITE_ACCESS = [
  ...['issueCreateComment', 'issueEditComment', 'issuePostCommentReaction', 'issueCreateIssue'],
  ...['repoCreatePullRequest', 'repoCreatePullReview', 'createFork', 'userCurrentDeleteSubscription'],
];

/**
 * A page of the timeline. The server counts comments on code in the pages and then omits them. The answer gives the
 * number of events on the page as the total.
 */
function timelinePageOf(request: GiteaRequest, commentsOnCode: number, events: readonly object[]): Answer {
  const all = [...Array.from({ length: commentsOnCode }, () => null), ...events];
  const shown = pageIn(request, all).items.filter((one) => one !== null);
  return { ...ok(shown), headers: { 'x-total-count': String(shown.length) } };
}

/**
 * Whether the change is as new as the query asks. Times are whole seconds, so a change within the second of `since`
 * counts, too.
 */
function isSince({ query }: GiteaRequest, at: Date): boolean {
  const since = new Date(query.get('since') ?? 0);
  return at.getTime() >= Math.floor(since.getTime() / 1000) * 1000;
}

function commentOf({ repository, parameters }: RepositoryRequest) {
  const comment = repository.comments.find(({ id }) => id === Number(parameters[0]));
  if (comment === undefined) throw new GiteaRefusal(404, "The target couldn't be found.");
  return comment;
}

/** The webhook as an answer shows it, without its secret. */
function hookShape({ id, url, active, events }: Hook): object {
  return {
    ...{ id, type: 'gitea', active, events, config: { url, content_type: 'json' }, branch_filter: '*' },
    ...{ authorization_header: '', created_at: '2026-01-02T03:04:05Z', updated_at: '2026-01-02T03:04:05Z' },
  };
}

/** The whitelists after a request. Fields that the request does not name keep their values. */
function whitelistsIn(
  body: Readonly<Record<string, unknown>>,
  before: Pick<Rule, 'pushers' | 'mergers'>,
): Pick<Rule, 'pushers' | 'mergers'> {
  const listIn = (name: 'push' | 'merge', known: readonly string[] | null): readonly string[] | null => {
    const isLimited = body[`enable_${name}_whitelist`] ?? known !== null;
    return isLimited === true ? ((body[`${name}_whitelist_usernames`] as string[] | undefined) ?? known ?? []) : null;
  };
  return { pushers: listIn('push', before.pushers), mergers: listIn('merge', before.mergers) };
}
