import type { Account } from '../forge/accounts';
import type { Answer } from '../forge/answer';
import type { Happenings } from './happenings';
import { GiteaRefusal } from './refusal';
import { fullNameOf, type GiteaState, permissionOf, type Pull, type Repository } from './state';

export interface GiteaRequest {
  readonly state: GiteaState;
  readonly happenings: Happenings;
  readonly account: Account;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RepositoryRequest extends GiteaRequest {
  readonly repository: Repository;
}

export interface Route<Request> {
  readonly operation: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly handle: (request: Request) => Answer;
}

export const route = (
  operation: string,
  method: string,
  pattern: RegExp,
  handle: (request: RepositoryRequest) => Answer,
): Route<RepositoryRequest> => ({ operation, method, pattern, handle });

/** The server's page limit, whatever the request asks for. */
export const BIGGEST_PAGE = 50;
export const USUAL_PAGE = 30;

/** Lists that real servers answer with a `Link` header. All other lists are paged without this header. */
const LINKED = /\/(pulls|issues|branches|commits\/[^/]+\/statuses)$/;

export function pageOf<T>(request: GiteaRequest, all: readonly T[], shape: (one: T) => unknown): Answer {
  const { query, state, path } = request;
  const { size, page, items } = pageIn(request, all);
  const isLast = page * size >= all.length || !LINKED.test(path);
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  const link = `<${state.origin}/api/v1${path}?${next.toString()}>; rel="next"`;
  const headers = { 'x-total-count': String(all.length), ...(isLast ? {} : { link }) };
  return { ...ok(items.map(shape)), headers };
}

export function pageIn<T>({ query }: GiteaRequest, all: readonly T[]) {
  const size = Math.min(BIGGEST_PAGE, Number(query.get('limit')) || USUAL_PAGE);
  const page = Math.max(1, Number(query.get('page')) || 1);
  return { size, page, items: all.slice((page - 1) * size, page * size) };
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

export function pullOf({ repository, parameters }: RepositoryRequest): Pull {
  const pull = repository.pulls.get(Number(parameters[0]));
  if (pull === undefined) throw new GiteaRefusal(404, "The target couldn't be found.");
  return pull;
}

export function requireAdmin({ repository, account }: RepositoryRequest): void {
  if (permissionOf(repository, account) === 'admin') return;
  throw new GiteaRefusal(
    403,
    `user should be an owner or a collaborator with admin write of ${fullNameOf(repository)}`,
  );
}

export function textOf(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field];
  if (typeof value === 'string') return value;
  throw new GiteaRefusal(422, `[${field}]: Required`);
}
