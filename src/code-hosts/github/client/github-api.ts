import { HostUnavailable } from '../../../domain/code-host.port';
import { BoundedMap } from '../../bounded-map';
import type { Clock } from '../../../platform/clock/clock';
import type { RepositoryIdentities } from '../../repository-identities';
import { makesContent } from './content-pace';
import type { AccessToken, Credentials } from './credentials';
import { type GitHubAnswer, type GitHubReply, classifyGitHubAnswer } from './github-answer';
import { IdentityCheck, patienceOf, showsItsRepository } from './identity-check';
import type { RateGate } from './rate-gate';
import { at, ListTooLong } from '../../reading';
import type { RepositoryPath, RepositoryParameters, RepositoryRoute } from './routes';
import { GRAPHQL, type RawAnswer, type RawRequest, type Transport } from './transport';

const PAGE = 100;
const MOST_PAGES = 30;
const MOST_ANSWERS = 500;

export interface GitHubApiParts {
  readonly transport: Transport;
  readonly gate: RateGate;
  readonly credentials: Credentials;
  /** The registered repositories; null if none are registered, so that any repository is accepted. */
  readonly identities: Pick<RepositoryIdentities, 'isSame'> | null;
  readonly clock: Clock;
}

/**
 * GitHub's REST API, one repository at a time. A refusal by GitHub is returned as an answer. HostUnavailable is thrown
 * if no usable answer arrives: no answer at all, a server error, a rate limit, or no access.
 */
export class GitHubApi {
  /** Earlier answers with an ETag. Reading an unchanged answer again does not count against the rate limit. */
  private readonly answers = new BoundedMap<RawAnswer>(MOST_ANSWERS);

  private readonly identity: IdentityCheck;

  constructor(private readonly parts: GitHubApiParts) {
    this.identity = new IdentityCheck(parts.transport.host, parts.identities, parts.clock);
  }

  get host(): string {
    return this.parts.transport.host;
  }

  get credentials(): Credentials {
    return this.parts.credentials;
  }

  /** Sends a request; null if the service has no access to the repository, or the repository does not exist. */
  async tryToAsk<R extends RepositoryRoute>(
    repository: RepositoryPath,
    route: R,
    parameters: RepositoryParameters<R>,
  ): Promise<GitHubAnswer | null> {
    if (!showsItsRepository(route)) {
      await this.requireSame(repository, patienceOf(route));
      return this.askWhateverItIs(repository, route, parameters);
    }
    const answer = await this.askWhateverItIs(repository, route, parameters);
    await this.identity.compare(repository, route, answer);
    // A refusal or an empty list does not name its repository, so the repository is compared separately.
    await this.requireSame(repository);
    return answer;
  }

  /** Throws HostUnavailable if another repository now has the name of the registered repository. */
  async requireSame(repository: RepositoryPath, patienceMs?: number): Promise<void> {
    if (!this.identity.isDue(repository, patienceMs)) return;
    // If the repository is missing or hidden, there is nothing to compare, and the request itself will find that out.
    await this.lookAtRepository(repository);
  }

  /** Like `requireSame`, but reads a pull request. Reading it again soon costs nothing, unless it changed meanwhile. */
  async requireSameBy(repository: RepositoryPath, pullRequest: number): Promise<void> {
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    if (this.identity.isDue(repository)) await this.tryToAsk(repository, route, { pull_number: pullRequest });
  }

  /** Asks for the present name of a registered repository that a delivery names otherwise. */
  async findName({ id }: { readonly id: string }, { owner, name }: RepositoryPath): Promise<void> {
    await this.lookAtRepository({ id, owner, name });
  }

  private async lookAtRepository(repository: RepositoryPath): Promise<GitHubAnswer | null> {
    const route = 'GET /repos/{owner}/{repo}';
    const answer = await this.askWhateverItIs(repository, route, {});
    await this.identity.compare(repository, route, answer);
    return answer;
  }

  private async askWhateverItIs<R extends RepositoryRoute>(
    repository: RepositoryPath,
    route: R,
    parameters: RepositoryParameters<R>,
  ): Promise<GitHubAnswer | null> {
    const ours = { owner: repository.owner, repo: repository.name, ...parameters };
    return this.askWithTokenFor(repository, { route, parameters: ours });
  }

  /** Like `tryToAsk`, but throws HostUnavailable instead of returning null. */
  async ask<R extends RepositoryRoute>(
    repository: RepositoryPath,
    route: R,
    parameters: RepositoryParameters<R>,
  ): Promise<GitHubAnswer> {
    const answer = await this.tryToAsk(repository, route, parameters);
    return answer ?? this.noAccess(repository);
  }

  /** Throws HostUnavailable while comments have used up their share of new content, because comments can wait. */
  async requireCommentBudget(repository: RepositoryPath): Promise<void> {
    const access = await this.parts.credentials.tokenFor(repository);
    if (access !== null) this.parts.gate.enterToComment(access.identity);
  }

  /**
   * The reply, or null when GitHub says 404. A repository that the service cannot see answers 404 to everything, so
   * after a 404 the repository itself is checked.
   */
  async read<R extends RepositoryRoute>(
    repository: RepositoryPath,
    route: R,
    parameters: RepositoryParameters<R>,
  ): Promise<GitHubReply | null> {
    const answer = await this.ask(repository, route, parameters);
    if (answer.type === 'answered') return answer;
    if (answer.status === 403) throw this.unavailable(`${route}: ${answer.message}`);
    if (answer.status === 404) await this.requireRepository(repository);
    return null;
  }

  /** The items of all pages, in GitHub's order; null on 404. `beyond`: as for `itemsOfPages`. */
  async readAll<R extends RepositoryRoute>(
    repository: RepositoryPath,
    route: R,
    parameters: RepositoryParameters<R>,
    itemsOf: (body: unknown) => readonly unknown[],
    beyond: Beyond = tooLong(this.host, route),
  ): Promise<readonly unknown[] | null> {
    const read = (page: Page) => this.read(repository, route, { ...parameters, ...page });
    return itemsOfPages(read, itemsOf, beyond);
  }

  /** Like `readAll`, but also null if the service lacks the permission. */
  async readAllAllowed<R extends RepositoryRoute>(
    repository: RepositoryPath,
    route: R,
    parameters: RepositoryParameters<R>,
    itemsOf: (body: unknown) => readonly unknown[],
  ): Promise<readonly unknown[] | null> {
    const read = async (page: Page): Promise<GitHubReply | null> => {
      const answer = await this.ask(repository, route, { ...parameters, ...page });
      return answer.type === 'answered' ? answer : null;
    };
    return itemsOfPages(read, itemsOf, tooLong(this.host, route));
  }

  /** The result of a GraphQL query; null if GitHub refuses the query. */
  async query(repository: RepositoryPath, query: string, variables: object): Promise<unknown> {
    await this.requireSame(repository);
    const request = { route: GRAPHQL, parameters: { query, variables } } as const;
    const answer = (await this.askWithTokenFor(repository, request)) ?? this.noAccess(repository);
    return answer.type === 'answered' ? (at(answer.body, 'data') ?? null) : null;
  }

  /** GitHub's description of the repository; null if the service cannot see the repository. */
  async findRepository(repository: RepositoryPath): Promise<unknown> {
    const answer = await this.askWhateverItIs(repository, 'GET /repos/{owner}/{repo}', {});
    return answer?.type === 'answered' ? answer.body : null;
  }

  /** GitHub's public facts about an app, read with the token for a repository; null if there is no such public app. */
  async readApp(repository: RepositoryPath, slug: string): Promise<GitHubReply | null> {
    const request = { route: 'GET /apps/{app_slug}', parameters: { app_slug: slug } } as const;
    const answer = (await this.askWithTokenFor(repository, request)) ?? this.noAccess(repository);
    return answer.type === 'answered' ? answer : null;
  }

  private async askWithTokenFor(
    repository: RepositoryPath,
    request: Pick<RawRequest, 'route' | 'parameters'>,
  ): Promise<GitHubAnswer | null> {
    const { credentials } = this.parts;
    const access = await credentials.tokenFor(repository);
    if (access === null) return null;
    const first = await this.send(request, access);
    if (first.status !== 401) return classifyGitHubAnswer(this.host, request.route, first);
    credentials.refused(repository, access);
    const renewed = await credentials.tokenFor(repository);
    const second = renewed === null ? first : await this.send(request, renewed);
    if (second.status === 401) throw this.unavailable(`${request.route}: the credentials are refused`);
    return classifyGitHubAnswer(this.host, request.route, second);
  }

  private async requireRepository(repository: RepositoryPath): Promise<void> {
    if ((await this.lookAtRepository(repository))?.type !== 'answered') this.noAccess(repository);
  }

  private async send(request: Pick<RawRequest, 'route' | 'parameters'>, access: AccessToken): Promise<RawAnswer> {
    const { transport, gate } = this.parts;
    gate.enter(access.identity);
    const isRead = request.route.startsWith('GET ');
    const key = `${request.route} ${JSON.stringify(request.parameters)}`;
    const known = isRead ? this.answers.get(key) : undefined;
    const headers: Record<string, string> = { authorization: `Bearer ${access.token}` };
    if (known !== undefined) headers['if-none-match'] = String(known.headers.etag);
    if (makesContent(request.route)) gate.noteContent(access.identity);
    const answer = await transport.send({ ...request, headers });
    gate.learn(access.identity, answer);
    if (answer.status === 304 && known !== undefined) return known;
    if (isRead && answer.status === 200 && answer.headers.etag !== undefined) this.answers.set(key, answer);
    else this.answers.delete(key);
    return answer;
  }

  private noAccess({ owner, name }: RepositoryPath): never {
    throw this.unavailable(`${owner}/${name} is not there, or the service has no access to it`);
  }

  private unavailable(what: string): HostUnavailable {
    return new HostUnavailable(this.host, 'no_access', `${this.host}: ${what}`);
  }
}

type Beyond = ListTooLong | 'later';

const tooLong = (host: string, route: string) => new ListTooLong(host, route, `${MOST_PAGES * PAGE} entries`);

interface Page {
  readonly per_page: number;
  readonly page: number;
}

/** Null if a page is missing. Too many pages: throws `beyond`; if that is 'later', later reads find the rest. */
async function itemsOfPages(
  readPage: (page: Page) => Promise<GitHubReply | null>,
  itemsOf: (body: unknown) => readonly unknown[],
  beyond: Beyond,
): Promise<readonly unknown[] | null> {
  const items: unknown[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await readPage({ per_page: PAGE, page });
    if (answer === null) return null;
    items.push(...itemsOf(answer.body));
    if (!answer.hasMore) return items;
  }
  if (beyond !== 'later') throw beyond;
  return items;
}
