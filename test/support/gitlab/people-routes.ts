import type { Account } from '../forge/accounts';
import type { Answer } from '../forge/answer';
import { runGit } from '../bare-repository';
import { pageOf } from './pages';
import type { GitLabState, MergeRequest, Project } from './state';

interface PeopleRequest {
  readonly state: GitLabState;
  readonly account: Account;
  readonly project: Project;
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

type PeopleRoute = readonly [string, string, RegExp, (request: PeopleRequest) => Answer];

const MAINTAINER = 40;
const OWNER = 50;
const NOT_FOUND: Answer = { status: 404, body: { message: '404 Not found' } };

/** Operations on a project that only people use. */
export const PEOPLE_ROUTES: readonly PeopleRoute[] = [
  [
    'deleteProject',
    'DELETE',
    /^$/,
    ({ state, project, account }) => {
      if ((project.members.get(account.login) ?? 0) < OWNER) return { status: 403, body: { message: '403 Forbidden' } };
      state.removeProject(project);
      return { status: 202, body: { message: '202 Accepted' } };
    },
  ],
  [
    'editProject',
    'PUT',
    /^$/,
    ({ project, body }) => {
      if (typeof body.path === 'string') project.name = body.path;
      if (typeof body.default_branch === 'string') {
        runGit(project.world.bare, ['symbolic-ref', 'HEAD', `refs/heads/${body.default_branch}`]);
        project.defaultBranch = body.default_branch;
      }
      return { status: 200, body: { id: project.id, path_with_namespace: project.path } };
    },
  ],
  ['updateNotifications', 'PUT', /^\/notification_settings$/, () => ({ status: 200, body: { level: 'disabled' } })],
  ['addMember', 'POST', /^\/members$/, setMember],
  [
    'editMember',
    'PUT',
    /^\/members\/(\d+)$/,
    (request) => {
      const { state, project, parameters, body } = request;
      const isMember = [...project.members.keys()].some((one) => state.accounts.of(one).id === Number(parameters[0]));
      return isMember ? setMember({ ...request, body: { ...body, user_id: Number(parameters[0]) } }) : NOT_FOUND;
    },
  ],
  [
    'listAwardEmoji',
    'GET',
    /^\/merge_requests\/(\d+)\/notes\/(\d+)\/award_emoji$/,
    (request) => {
      const [iid, id] = request.parameters.map(Number);
      const note = request.project.read(iid!)?.notes.find((one: MergeRequest['notes'][number]) => one.id === id);
      return pageOf(request, note?.emoji.map(({ name }) => ({ name })) ?? []);
    },
  ],
  [
    'unprotectBranch',
    'DELETE',
    /^\/protected_branches\/([^/]+)$/,
    ({ project, parameters: [name = ''] }) => (project.protectedBranches.delete(name) ? { status: 204 } : NOT_FOUND),
  ],
];

function setMember({ state, project, body }: PeopleRequest): Answer {
  const login = [...state.tokens.values()].find(({ id }) => id === body.user_id)?.login;
  if (login === undefined) return NOT_FOUND;
  project.members.set(login, Number(body.access_level));
  return { status: 201, body: { id: body.user_id, access_level: body.access_level } };
}

type ServerRequest = Pick<PeopleRequest, 'state' | 'account' | 'body'> & { readonly path: string };

/** Creates a project without a branch. People push its first branch. */
export function createProject({ state, account, body }: ServerRequest): Answer {
  const [path, group] = [...state.groups].find(([, { id }]) => id === body.namespace_id) ?? [];
  if (path === undefined || !group?.owners.includes(account.login))
    return { status: 404, body: { message: '404 Namespace Not Found' } };
  const name = String(body.path);
  if (state.find(`${path}/${name}`) !== null)
    return { status: 400, body: { message: { path: ['has already been taken'] } } };
  const project = state.addProject(path, name, typeof body.description === 'string' ? body.description : '');
  for (const login of group.owners) project.members.set(login, OWNER);
  project.world.removeBranch('main');
  project.noticeBranches(account);
  // The server protects the default branch automatically.
  project.protectedBranches.set('main', MAINTAINER);
  return { status: 201, body: { id: project.id, path_with_namespace: project.path } };
}

export function getGroup({ state, path }: ServerRequest): Answer {
  const wanted = decodeURIComponent(path.slice('/groups/'.length));
  const group = state.groups.get(wanted);
  return group === undefined ? NOT_FOUND : { status: 200, body: { id: group.id, full_path: wanted } };
}
