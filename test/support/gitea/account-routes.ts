import { randomBytes } from 'node:crypto';
import type { Account } from '../forge/accounts';
import { GiteaRefusal, textIn } from './refusal';
import { created, type GiteaRequest, ok, type Route, textOf } from './router';
import { repositoryShape, userShape } from './shapes';
import { type GiteaState, grantEverything, type MadeAccount } from './state';

const NOT_FOUND = "The target couldn't be found.";

/** Organizations, users and their tokens, and the repositories of organizations. */
export const ACCOUNT_ROUTES: readonly Route<GiteaRequest>[] = [
  on('orgCreate', 'POST', /^\/orgs$/, (request) => {
    const { state, account, body } = request;
    const name = textOf(body, 'username');
    requireFree(state, name);
    const made = { account: state.accounts.of(name, 'Organization'), words: textIn(body, 'description') };
    state.madeAccounts.set(name.toLowerCase(), { ...made, password: '', owners: [account.login] });
    return created(organizationShape(state.madeAccounts.get(name.toLowerCase())!));
  }),
  on('orgGet', 'GET', /^\/orgs\/([^/]+)$/, (request) => ok(organizationShape(organizationIn(request)))),
  on('orgDelete', 'DELETE', /^\/orgs\/([^/]+)$/, (request) => {
    const { account } = organizationIn(request);
    forget(request.state, account);
    return { status: 204 };
  }),
  on('adminCreateUser', 'POST', /^\/admin\/users$/, (request) => {
    requireAdministrator(request);
    const { state, body } = request;
    const login = textOf(body, 'username');
    requireFree(state, login);
    const made = { account: state.accounts.of(login), words: textIn(body, 'full_name'), owners: [] };
    state.madeAccounts.set(login.toLowerCase(), { ...made, password: textOf(body, 'password') });
    return created({ ...userShape(state, made.account), full_name: made.words, email: textOf(body, 'email') });
  }),
  on('userGet', 'GET', /^\/users\/([^/]+)$/, ({ state, parameters: [login = ''] }) => {
    const account = state.accounts.find(login);
    if (account === null) throw new GiteaRefusal(404, `user redirect does not exist [name: ${login}]`);
    return ok({ ...userShape(state, account), full_name: state.madeAccounts.get(login.toLowerCase())?.words ?? '' });
  }),
  on('adminDeleteUser', 'DELETE', /^\/admin\/users\/([^/]+)$/, (request) => {
    requireAdministrator(request);
    const { state, parameters } = request;
    const account = state.accounts.find(parameters[0] ?? '');
    if (account === null) throw new GiteaRefusal(404, 'user does not exist');
    forget(state, account);
    return { status: 204 };
  }),
  on('userCreateToken', 'POST', /^\/users\/([^/]+)\/tokens$/, ({ state, account, body, parameters }) => {
    if (account.login !== parameters[0]) throw new GiteaRefusal(403, '');
    const sha1 = randomBytes(20).toString('hex');
    state.tokens.set(sha1, account);
    return created({ id: state.nextId(), name: textOf(body, 'name'), sha1, token_last_eight: sha1.slice(-8) });
  }),
  on('createOrgRepo', 'POST', /^\/orgs\/([^/]+)\/repos$/, (request) => {
    const { state, account, body, parameters } = request;
    const [owner = ''] = parameters;
    const { owners } = organizationIn(request);
    const mayCreate = owners.includes(account.login) || state.administrators.has(account.login.toLowerCase());
    if (!mayCreate) throw new GiteaRefusal(403, 'Given user is not allowed to create repository in organization.');
    const name = textOf(body, 'name');
    if (state.find(owner, name) !== null)
      throw new GiteaRefusal(409, 'The repository with the same name already exists.');
    const repository = state.addRepository(owner, name, null, textIn(body, 'description'));
    repository.world.removeBranch('main');
    repository.branches = new Map();
    repository.allowsManualMerge = false;
    grantEverything(state, repository);
    return created(repositoryShape(state, repository, account));
  }),
];

function on(
  operation: string,
  method: string,
  pattern: RegExp,
  handle: Route<GiteaRequest>['handle'],
): Route<GiteaRequest> {
  return { operation, method, pattern, handle };
}

function organizationIn({ state, parameters: [name = ''] }: GiteaRequest): MadeAccount {
  const found = state.madeAccounts.get(name.toLowerCase());
  if (found?.account.type === 'Organization') return found;
  throw new GiteaRefusal(404, NOT_FOUND);
}

function organizationShape({ account: { id, login }, words }: MadeAccount): object {
  return { id, name: login, username: login, full_name: '', description: words, visibility: 'private' };
}

function requireFree({ accounts }: GiteaState, name: string): void {
  if (accounts.find(name) !== null) throw new GiteaRefusal(422, `user already exists [name: ${name}]`);
}

function requireAdministrator({ state, account }: GiteaRequest): void {
  if (!state.administrators.has(account.login.toLowerCase())) throw new GiteaRefusal(403, 'token requires admin scope');
}

/** Deletes the account. An account that still owns repositories is not deleted. */
function forget(state: GiteaState, { login }: Account): void {
  const isOwner = [...state.repositories.values()].some(({ owner }) => owner.login === login);
  if (isOwner) throw new GiteaRefusal(422, 'user still has ownership of repositories');
  state.madeAccounts.delete(login.toLowerCase());
  state.accounts.remove(login);
  for (const [token, account] of state.tokens) if (account.login === login) state.tokens.delete(token);
  for (const { permissions } of state.repositories.values()) permissions.delete(login.toLowerCase());
}
