import { created, GitHubRefusal, invalid, NO_CONTENT, notFound, ok, type Answer } from '../answers';
import { permissionOf } from '../issued-tokens';
import type { CommentRecord } from '../records';
import { addComment, addReaction, deleteComment, editComment } from '../reports';
import { pageOf, requiredTextOf, type RepositoryRequest, type RepositoryRoute } from '../router';
import { accountShape } from '../shapes/account';
import { commentShape, reactionShape } from '../shapes/comment';
import { wantedPull } from './pulls';

const REACTIONS = new Set(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']);
const LONGEST_BODY = 65_536;
const ON_ISSUE = '/repos/{owner}/{repo}/issues/{issue_number}/comments';
const ON_COMMENT = '/repos/{owner}/{repo}/issues/comments/{comment_id}';
const PERMISSIONS = { for: 'repository', permissions: ['issues', 'pull_requests'] } as const;

export const COMMENT_ROUTES: readonly RepositoryRoute[] = [
  {
    operation: 'issues/list-comments',
    method: 'GET',
    path: ON_ISSUE,
    ...PERMISSIONS,
    level: 'read',
    handle: (request) => {
      const { state, repository, query } = request;
      const { number } = wantedPull(request);
      const since = new Date(query.get('since') ?? 0);
      const found = repository.comments.filter((one) => one.number === number && one.updatedAt >= since);
      const { items, headers } = pageOf(request, found);
      return ok(
        items.map((comment) => commentShape(state, repository, comment)),
        headers,
      );
    },
  },
  {
    operation: 'issues/create-comment',
    method: 'POST',
    path: ON_ISSUE,
    ...PERMISSIONS,
    level: 'write',
    handle: (request) => {
      const { state, repository, account } = request;
      const comment = addComment(state, repository, wantedPull(request).number, bodyOf(request), account);
      return created(commentShape(state, repository, comment));
    },
  },
  {
    operation: 'issues/update-comment',
    method: 'PATCH',
    path: ON_COMMENT,
    ...PERMISSIONS,
    level: 'write',
    handle: (request) => {
      const { state, repository, account } = request;
      const comment = wantedComment(request);
      editComment(state, repository, comment, bodyOf(request), account);
      return ok(commentShape(state, repository, comment));
    },
  },
  {
    operation: 'issues/delete-comment',
    method: 'DELETE',
    path: ON_COMMENT,
    ...PERMISSIONS,
    level: 'write',
    handle: (request) => {
      deleteComment(request.state, request.repository, wantedComment(request), request.account);
      return NO_CONTENT;
    },
  },
  {
    operation: 'reactions/create-for-issue-comment',
    method: 'POST',
    path: `${ON_COMMENT}/reactions`,
    for: 'repository',
    permissions: ['issues'],
    level: 'write',
    handle: react,
  },
  {
    operation: 'repos/get-collaborator-permission-level',
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators/{username}/permission',
    for: 'repository',
    permissions: ['metadata'],
    level: 'read',
    handle: readPermission,
  },
];

function bodyOf({ body }: RepositoryRequest): string {
  const text = requiredTextOf(body, 'body');
  if (text.trim() === '') throw invalid('IssueComment', 'body', { code: 'missing_field' });
  if (text.length > LONGEST_BODY) {
    throw invalid('IssueComment', 'body', { message: `body is too long (maximum is ${LONGEST_BODY} characters)` });
  }
  return text;
}

function wantedComment({ repository, parameters }: RepositoryRequest): CommentRecord {
  const comment = repository.comments.find((one) => one.id === Number(parameters.comment_id));
  if (comment === undefined) throw notFound();
  return comment;
}

function react(request: RepositoryRequest): Answer {
  const { state, account, body } = request;
  const content = requiredTextOf(body, 'content');
  if (!REACTIONS.has(content)) throw new GitHubRefusal(422, `Validation Failed: ${content} is no reaction`);
  const { reaction, isNew } = addReaction(state, wantedComment(request), content, account);
  const shape = reactionShape(state, reaction);
  return isNew ? created(shape) : ok(shape);
}

function readPermission({ state, repository, parameters }: RepositoryRequest): Answer {
  const login = parameters.username ?? '';
  const account = state.accounts.find(login);
  if (account === null || account.type === 'Bot') throw notFound(`${login} is not a user`);
  const permission = permissionOf(repository, account);
  const level = { admin: 5, write: 3, read: 1, none: 0 }[permission];
  const permissions = { pull: level > 0, triage: level > 1, push: level > 2, maintain: level > 3, admin: level > 4 };
  const user = { ...accountShape(state, account), permissions, role_name: permission };
  return ok({ permission, role_name: permission, user });
}
