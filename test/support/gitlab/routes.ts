import type { Account } from '../forge/accounts';
import type { Answer } from '../forge/answer';
import { verificationOf } from '../forge/signatures';
import { pageOf } from './pages';
import { createProject, getGroup, PEOPLE_ROUTES } from './people-routes';
import type { GitLabState, HookFacts, MergeRequest, Note, Pipeline, Project } from './state';

export const DEVELOPER = 30;

export interface GitLabRequest {
  readonly state: GitLabState;
  readonly account: Account;
  readonly method: string;
  /** The path relative to the API root. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ProjectRequest extends GitLabRequest {
  readonly project: Project;
  readonly parameters: readonly string[];
}

export type GitLabRoute = readonly [
  operation: string,
  method: string,
  below: RegExp,
  handle: (request: ProjectRequest) => Answer,
];

const IN_PROJECT = /^\/projects\/([^/]+)(\/.*)?$/;
/** Operations that only Maintainers may use. */
const OF_MAINTAINERS = ['listHooks', 'createHook', 'updateHook', 'protectBranch', 'changeProtectedBranch'];
const MAINTAINER = 40;
const FORBIDDEN: Answer = { status: 403, body: { message: '403 Forbidden' } };
const NOT_FOUND: Answer = { status: 404, body: { message: '404 Not found' } };

const ROUTES: readonly GitLabRoute[] = [
  [
    'getProject',
    'GET',
    /^$/,
    ({ project, account }) => ok(projectShape(project, project.members.get(account.login) ?? 0)),
  ],
  ['listMergeRequests', 'GET', /^\/merge_requests$/, listMergeRequests],
  ['createMergeRequest', 'POST', /^\/merge_requests$/, createMergeRequest],
  [
    'getMergeRequest',
    'GET',
    /^\/merge_requests\/(\d+)$/,
    onMergeRequest((one, { project }) => ok(shape(project, one))),
  ],
  ['updateMergeRequest', 'PUT', /^\/merge_requests\/(\d+)$/, onMergeRequest(updateMergeRequest)],
  [
    'getApprovals',
    'GET',
    /^\/merge_requests\/(\d+)\/approvals$/,
    onMergeRequest(({ approvalsLeft, approvedBy }) =>
      ok({
        ...{ approved: approvalsLeft === 0, approvals_left: approvalsLeft },
        approved_by: approvedBy.map((username) => ({ user: { username } })),
      }),
    ),
  ],
  [
    'listNotes',
    'GET',
    /^\/merge_requests\/(\d+)\/notes$/,
    onMergeRequest((one, request) => pageOf(request, one.notes.map(noteShape))),
  ],
  ['createNote', 'POST', /^\/merge_requests\/(\d+)\/notes$/, onMergeRequest(createNote)],
  ['updateNote', 'PUT', /^\/merge_requests\/(\d+)\/notes\/(\d+)$/, onMergeRequest(updateNote)],
  ['createAwardEmoji', 'POST', /^\/merge_requests\/(\d+)\/notes\/(\d+)\/award_emoji$/, onMergeRequest(addEmoji)],
  ['listLabelEvents', 'GET', /^\/merge_requests\/(\d+)\/resource_label_events$/, onMergeRequest(listLabelEvents)],
  ['listPipelines', 'GET', /^\/pipelines$/, (request) => pageOf(request, listedPipelines(request).map(pipelineShape))],
  ['listJobs', 'GET', /^\/pipelines\/(\d+)\/jobs$/, listJobs],
  ['listBridges', 'GET', /^\/pipelines\/(\d+)\/bridges$/, () => ok([])],
  ['cancelPipeline', 'POST', /^\/pipelines\/(\d+)\/cancel$/, cancelPipeline],
  ['listHooks', 'GET', /^\/hooks$/, (request) => pageOf(request, request.project.hooks.map(hookShape))],
  ['createHook', 'POST', /^\/hooks$/, createHook],
  ['updateHook', 'PUT', /^\/hooks\/(\d+)$/, updateHook],
  [
    'listHookEvents',
    'GET',
    /^\/hooks\/(\d+)\/events$/,
    ({ project, parameters }) =>
      ok([{ response_status: project.hooks[Number(parameters[0]) - 1]?.lastAnswer ?? '200' }]),
  ],
  [
    'getCommitSignature',
    'GET',
    /^\/repository\/commits\/([0-9a-f]{40})\/signature$/,
    ({ state, project, parameters: [commit = ''] }) => signatureOf(state, project, commit),
  ],
  [
    'getPushRule',
    'GET',
    /^\/push_rule$/,
    ({ project }) => (project.pushRule === null ? NOT_FOUND : ok(project.pushRule)),
  ],
  ['getMember', 'GET', /^\/members\/all\/(\d+)$/, getMember],
  [
    'listProtectedBranches',
    'GET',
    /^\/protected_branches$/,
    (request) =>
      pageOf(
        request,
        [...request.project.protectedBranches.keys()].map((name) => ruleShape(request, name)),
      ),
  ],
  ['protectBranch', 'POST', /^\/protected_branches$/, protectBranch],
  ['changeProtectedBranch', 'PATCH', /^\/protected_branches\/([^/]+)$/, changeProtectedBranch],
  [
    'listLabels',
    'GET',
    /^\/labels$/,
    (request) =>
      pageOf(
        request,
        request.project.labels.map((name, index) => ({ id: index + 1, name })),
      ),
  ],
  ['createLabel', 'POST', /^\/labels$/, createLabel],
  ...PEOPLE_ROUTES,
];

export function operationOf(method: string, path: string): string {
  const below = IN_PROJECT.exec(path)?.[2] ?? '';
  if (!IN_PROJECT.test(path)) return `${method} ${path}`;
  return ROUTES.find(([, wanted, pattern]) => wanted === method && pattern.test(below))?.[0] ?? 'unknown';
}

export function answerTo(request: GitLabRequest): Answer {
  const { state, account, method, path, query } = request;
  if (path === '/user') return ok(userShape(account));
  if (path === '/version') return ok({ version: '18.5.0', revision: 'c0ffee' });
  if (path === '/personal_access_tokens/self') return ok({ id: 1, name: 'sluice', ...state.tokenFacts });
  if (path === '/projects' && method === 'POST') return createProject(request);
  if (path.startsWith('/groups/')) return getGroup(request);
  if (path === '/users') {
    const found = state.accounts.find(query.get('username') ?? '');
    return ok(found === null ? [] : [userShape(found)]);
  }
  const [, wanted = '', below = ''] = IN_PROJECT.exec(path) ?? [];
  const name = decodeURIComponent(wanted);
  const project = /^\d+$/.test(name) ? state.projects.find(({ id }) => id === Number(name)) : state.find(name);
  const level = project?.members.get(account.login) ?? 0;
  if (!project || level === 0) return { status: 404, body: { message: '404 Project Not Found' } };
  const route = ROUTES.find(([, one, pattern]) => one === method && pattern.test(below));
  if (route === undefined) return NOT_FOUND;
  if (OF_MAINTAINERS.includes(route[0]) && level < MAINTAINER) return FORBIDDEN;
  return route[3]({ ...request, project, parameters: (route[2].exec(below) ?? []).slice(1) });
}

function onMergeRequest(handle: (one: MergeRequest, request: ProjectRequest) => Answer) {
  return (request: ProjectRequest): Answer => {
    const one = request.project.read(Number(request.parameters[0]));
    return one === null ? NOT_FOUND : handle(one, request);
  };
}

function listMergeRequests(request: ProjectRequest): Answer {
  const { project, query } = request;
  const [state, source, after] = [query.get('state'), query.get('source_branch'), query.get('updated_after')];
  const iids = query.getAll('iids[]').map(Number);
  const found = [...project.mergeRequests.values()].filter(
    (one) =>
      (state === 'all' || one.state === state) &&
      (source === null || one.sourceBranch === source) &&
      (after === null || one.updatedAt >= new Date(after)) &&
      (iids.length === 0 || iids.includes(one.iid)),
  );
  return pageOf(
    request,
    found.map((one) => shape(project, one)),
  );
}

function createMergeRequest({ project, account, body }: ProjectRequest): Answer {
  const { source_branch: source, target_branch: target } = body;
  const twin = [...project.mergeRequests.values()].find((one) => one.sourceBranch === source && one.state === 'opened');
  if (twin !== undefined) return { status: 409, body: { message: ['Another open merge request already exists'] } };
  const facts = { sourceBranch: String(source), targetBranch: String(target), title: String(body.title) };
  const iid = Math.max(0, ...project.mergeRequests.keys()) + 1;
  const made = project.open({
    iid,
    author: account,
    ...facts,
    description: typeof body.description === 'string' ? body.description : '',
  });
  return { status: 201, body: shape(project, made) };
}

function updateMergeRequest(one: MergeRequest, { project, body, account }: ProjectRequest): Answer {
  const {
    add_labels: added,
    target_branch: targetBranch,
    title,
  } = body as { add_labels?: string[]; target_branch?: string; title?: string };
  for (const name of added ?? []) if (!one.labels.includes(name)) project.addLabel(one, name, account);
  if (targetBranch !== undefined) project.change(one, { targetBranch }, account);
  if (title !== undefined) project.change(one, { title }, account);
  if (body.state_event === 'close' && one.state === 'opened') project.change(one, { state: 'closed' }, account);
  const [gone] = Array.isArray(body.remove_labels) ? (body.remove_labels as unknown[]) : [];
  if (typeof gone === 'string' && one.labels.includes(gone)) {
    const at = project.state.now();
    one.labelEvents.push({ id: project.state.nextId(), user: account, name: gone, action: 'remove', at });
    project.change(one, { labels: one.labels.filter((label) => label !== gone) }, account);
  }
  return ok(shape(project, one));
}

function createNote(one: MergeRequest, { project, account, body }: ProjectRequest): Answer {
  const note = project.comment(one, String(body.body), account);
  return note === null ? { status: 202, body: { commands_changes: {} } } : { status: 201, body: noteShape(note) };
}

function updateNote(one: MergeRequest, { project, body, parameters }: ProjectRequest): Answer {
  const note = one.notes.find(({ id }) => id === Number(parameters[1]));
  if (note === undefined) return NOT_FOUND;
  Object.assign(note, { body: String(body.body), updatedAt: project.state.now() });
  return ok(noteShape(note));
}

/** Adds a reaction. A second identical reaction is answered with a 404. */
function addEmoji(one: MergeRequest, { account, body, parameters }: ProjectRequest): Answer {
  const note = one.notes.find(({ id }) => id === Number(parameters[1]));
  const name = String(body.name);
  if (note === undefined || note.emoji.some((known) => known.user === account && known.name === name)) return NOT_FOUND;
  note.emoji.push({ user: account, name });
  return { status: 201, body: { name, user: userShape(account) } };
}

function listLabelEvents(one: MergeRequest, request: ProjectRequest): Answer {
  const rows = one.labelEvents.map(({ id, user, name, action, at }) => ({
    ...{ id, user: userShape(user), action, label: { name }, created_at: at.toISOString() },
  }));
  return pageOf(request, rows);
}

function listJobs(request: ProjectRequest): Answer {
  const pipeline = request.project.pipelines.find(({ id }) => id === Number(request.parameters[0]));
  if (pipeline === undefined) return NOT_FOUND;
  const at = new Date(0).toISOString();
  return pageOf(
    request,
    pipeline.jobs.map(({ allowFailure, failureReason, ...job }) => ({
      ...job,
      ...(job.status === 'failed' && { failure_reason: failureReason ?? 'script_failure' }),
      ...{ allow_failure: allowFailure, created_at: at, web_url: null },
    })),
  );
}

function listedPipelines({ project, query }: ProjectRequest): readonly Pipeline[] {
  const [sha, ref, scope] = [query.get('sha'), query.get('ref'), query.get('scope')];
  return project.pipelines.filter(
    (one) =>
      (sha === null || one.sha === sha) &&
      (ref === null || one.ref === ref) &&
      (scope === null || one.status === scope),
  );
}

function cancelPipeline({ project, parameters }: ProjectRequest): Answer {
  const pipeline = project.pipelines.find(({ id }) => id === Number(parameters[0]));
  if (pipeline === undefined) return NOT_FOUND;
  pipeline.status = 'canceled';
  return { status: 201, body: pipelineShape(pipeline) };
}

function createHook({ project, body }: ProjectRequest): Answer {
  project.hooks = [...project.hooks, { ...body, url: String(body.url) }];
  return { status: 201, body: hookShape(project.hooks.at(-1)!, project.hooks.length - 1) };
}

function updateHook({ project, body, parameters }: ProjectRequest): Answer {
  const index = Number(parameters[0]) - 1;
  const known = project.hooks[index];
  if (known === undefined) return NOT_FOUND;
  const changed = { ...known, ...body };
  project.hooks = project.hooks.with(index, changed);
  return ok(hookShape(changed, index));
}

/** The webhook as an answer shows it, without its secrets. */
function hookShape({ lastAnswer: _lastAnswer, token: _token, ...hook }: HookFacts, index: number): object {
  return { id: index + 1, ...hook };
}

function usersIn(project: Project, body: ProjectRequest['body']): readonly number[] {
  const listed = Array.isArray(body.allowed_to_push) ? (body.allowed_to_push as { user_id?: number }[]) : [];
  return project.namesUsers ? listed.flatMap(({ user_id: id }) => id ?? []) : [];
}

/** Protects a branch. If the request does not name an access level, the level of a Maintainer is taken. */
function protectBranch(request: ProjectRequest): Answer {
  const { project, body } = request;
  const name = String(body.name);
  if (project.protectedBranches.has(name))
    return { status: 409, body: { message: `Protected branch '${name}' already exists` } };
  const users = usersIn(project, body);
  if (name === 'sluice-merge/*' && body.push_access_level === 0)
    project.refusal = 'GitLab: You are not allowed to create protected branches on this project.';
  project.protectedBranches.set(name, MAINTAINER);
  project.pushUsers.set(name, users);
  if (users.length > 0) project.pushLevels.set(name, null);
  else project.pushLevels.delete(name);
  return { status: 201, body: ruleShape(request, name) };
}

function changeProtectedBranch(request: ProjectRequest): Answer {
  const { project, body, parameters } = request;
  const name = decodeURIComponent(parameters[0] ?? '');
  if (!project.protectedBranches.has(name)) return NOT_FOUND;
  project.pushUsers.set(name, [...(project.pushUsers.get(name) ?? []), ...usersIn(project, body)]);
  return ok(ruleShape(request, name));
}

function ruleShape({ project }: ProjectRequest, name: string): object {
  const merge = project.protectedBranches.get(name) ?? 0;
  const push = project.pushLevels.has(name) ? project.pushLevels.get(name)! : merge;
  const users = (project.pushUsers.get(name) ?? []).map((id) => ({ access_level: null, user_id: id, group_id: null }));
  return {
    name,
    merge_access_levels: [levelShape(merge)],
    push_access_levels: [...(push === null ? [] : [levelShape(push)]), ...users],
  };
}

function createLabel({ project, body }: ProjectRequest): Answer {
  const name = String(body.name);
  if (project.labels.includes(name)) return { status: 409, body: { message: 'Label already exists' } };
  project.labels = [...project.labels, name];
  return { status: 201, body: { id: project.labels.length, name } };
}

function levelShape(level: number): object {
  return { access_level: level, user_id: null, group_id: null };
}

function getMember({ project, state, parameters }: ProjectRequest): Answer {
  const found = [...project.members].find(([login]) => state.accounts.of(login).id === Number(parameters[0]));
  return found === undefined ? NOT_FOUND : ok({ id: Number(parameters[0]), access_level: found[1] });
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

function userShape({ id, login, name }: Account): object {
  return { id, username: login, name, state: 'active' };
}

export function projectShape(project: Project, level: number): object {
  const { id, name, path, demandsPipeline, settings, description, defaultBranch, branches } = project;
  return {
    ...{ id, name, path: name, path_with_namespace: path, default_branch: defaultBranch, merge_method: 'merge' },
    ...{ description, empty_repo: branches.size === 0, visibility: 'private' },
    only_allow_merge_if_pipeline_succeeds: demandsPipeline,
    only_allow_merge_if_all_discussions_are_resolved: false,
    permissions: { project_access: { access_level: level }, group_access: null },
    ...settings,
  };
}

function shape(project: Project, one: MergeRequest): object {
  const { iid, title, description, author, sha, sourceBranch, targetBranch, state, updatedAt, word } = one;
  const draft = title.startsWith('Draft: ');
  return {
    ...{ id: iid + 5000, iid, title, description, author: userShape(author), sha, state, draft },
    ...{ source_branch: sourceBranch, target_branch: targetBranch, labels: one.labels },
    ...{ source_project_id: project.id, target_project_id: project.id, blocking_discussions_resolved: true },
    detailed_merge_status: word ?? (draft ? 'draft_status' : one.approvalsLeft > 0 ? 'not_approved' : 'mergeable'),
    references: { short: `!${iid}`, full: `${project.path}!${iid}` },
    web_url: `${project.state.origin}/${project.path}/-/merge_requests/${iid}`,
    updated_at: updatedAt.toISOString(),
  };
}

function noteShape({ id, author, at, body, updatedAt }: Note): object {
  const times = { created_at: at.toISOString(), updated_at: updatedAt.toISOString() };
  return { id, body, author: userShape(author), system: false, ...times };
}

function pipelineShape({ id, sha, source, ref, status }: Pipeline): object {
  return { id, sha, source, ref, status, updated_at: new Date(0).toISOString(), web_url: null };
}

function signatureOf({ signingKeys }: GitLabState, { world }: Project, commit: string): Answer {
  const verification = verificationOf(world.bare, commit, signingKeys);
  if (verification === 'unsigned') return { status: 404, body: { message: '404 Signature Not Found' } };
  const status = verification === 'valid' ? 'verified' : 'unknown_key';
  return ok({ signature_type: 'SSH', verification_status: status, key: null, commit_source: 'gitaly' });
}
