import type { Account } from '../forge/accounts';
import { GitHubRefusal, notFound, type Answer } from './answers';
import { levelOf, mayKnow, type ApiCaller, type IssuedTokens } from './issued-tokens';
import type { RateLimits } from './rate-limits';
import type { RepositoryRecord } from './records';
import type { GitHubState } from './state';

export interface RouteRequest {
  readonly state: GitHubState;
  readonly tokens: IssuedTokens;
  readonly limits: RateLimits;
  readonly caller: ApiCaller;
  /** The path relative to the API root. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly accept: string;
}

export interface RepositoryRequest extends RouteRequest {
  readonly repository: RepositoryRecord;
  /** The account of the caller of the API. */
  readonly account: Account;
}

interface RouteFacts {
  /** GitHub's name for the operation. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
}

/**
 * A route without a repository. Either only the app itself may call it, with a signed request, or any caller of the
 * API.
 */
export interface PlainRoute extends RouteFacts {
  readonly for: 'app' | 'anybody';
  handle(request: RouteRequest): Answer;
}

export interface RepositoryRoute extends RouteFacts {
  readonly for: 'repository';
  /** The caller needs at least one of these permissions. */
  readonly permissions: readonly string[];
  readonly level: 'read' | 'write';
  /** Whether read access is enough for people. */
  readonly isForReaders?: true;
  handle(request: RepositoryRequest): Answer;
}

export type Route = PlainRoute | RepositoryRoute;

export interface FoundRoute {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

const WITH_SLASHES = new Set(['ref', 'path', 'basehead', 'branch']);

export function routeFinder(routes: readonly Route[]): (method: string, path: string) => FoundRoute | null {
  const patterns = routes.map((route) => {
    const names: string[] = [];
    const source = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      names.push(name);
      return WITH_SLASHES.has(name) ? '(.+?)' : '([^/]+)';
    });
    return { route, names, pattern: new RegExp(`^${source}$`) };
  });
  return (method, path) => {
    for (const { route, names, pattern } of patterns) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (match === null) continue;
      const values = names.map((name, index) => [name, decoded(match[index + 1] ?? '')]);
      return { route, parameters: Object.fromEntries(values) as Record<string, string> };
    }
    return null;
  };
}

/**
 * Runs a route if the caller may use it. Otherwise answers like GitHub: 404 if the repository is hidden from the
 * caller, 403 if the operation is forbidden.
 */
export function runRoute(route: Route, request: RouteRequest): Answer {
  const { caller, state, parameters } = request;
  if (route.for !== 'repository') {
    if (route.for === 'app' && caller.type !== 'app') {
      throw new GitHubRefusal(401, 'A JSON web token could not be decoded');
    }
    return route.handle(request);
  }
  if (caller.type === 'anonymous') throw new GitHubRefusal(401, 'Requires authentication');
  if (caller.type === 'app') throw new GitHubRefusal(403, 'Resource not accessible by integration');
  const repository = state.findRepository(parameters.owner ?? '', parameters.repo ?? '');
  if (repository === null || !mayKnow(caller, repository)) throw notFound();
  const levels = route.permissions.map((permission) => levelOf(caller, repository, permission));
  const isOfReader = route.isForReaders === true && caller.type === 'user' && levels.includes('read');
  const isAllowed = isOfReader || levels.some((level) => level === 'write' || level === route.level);
  if (!isAllowed) {
    const by = caller.type === 'user' ? 'personal access token' : 'integration';
    throw new GitHubRefusal(403, `Resource not accessible by ${by}`);
  }
  return route.handle({ ...request, repository, account: caller.account });
}

const USUAL_PAGE = 30;
const BIGGEST_PAGE = 100;

/** One page of a list, and the header with links to the other pages. */
export function pageOf<T>(request: RouteRequest, all: readonly T[]): { items: T[]; headers: Record<string, string> } {
  const { query, state, path } = request;
  const size = Math.min(BIGGEST_PAGE, Math.max(1, Number(query.get('per_page')) || USUAL_PAGE));
  const page = Math.max(1, Number(query.get('page')) || 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  const items = all.slice((page - 1) * size, page * size);
  const link = (to: number, relation: string): string => {
    const target = new URLSearchParams(query);
    target.set('page', String(to));
    return `<${state.api(path)}?${target.toString()}>; rel="${relation}"`;
  };
  const links = page < last ? [link(page + 1, 'next'), link(last, 'last')] : [];
  if (page > 1) links.push(link(1, 'first'), link(page - 1, 'prev'));
  return { items, headers: links.length === 0 ? {} : { link: links.join(', ') } };
}

/** A text field of the body; undefined when it is missing. */
export function textOf(body: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new GitHubRefusal(
    422,
    `Invalid request.\n\nFor 'properties/${field}', ${JSON.stringify(value)} is not a string.`,
  );
}

export function requiredTextOf(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = textOf(body, field);
  if (value !== undefined) return value;
  throw new GitHubRefusal(422, `Invalid request.\n\n"${field}" wasn't supplied.`);
}

/** A field of the body that must have one of these values. */
export function wordOf<T extends string>(
  body: Readonly<Record<string, unknown>>,
  field: string,
  words: readonly T[],
): T | undefined {
  const value = textOf(body, field);
  const word = words.find((one) => one === value);
  if (value === undefined || word !== undefined) return word;
  throw new GitHubRefusal(422, `Invalid request.\n\nNo subschema in "anyOf" matched: ${field} ${value} is not known.`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound();
  }
}
