import { HostUnavailable } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { parseRepositoryPath } from '../../../platform/repository-name';
import { BoundedMap } from '../../bounded-map';
import type { IdentifiedRepository, RepositoryIdentities } from '../../repository-identities';
import type { GitHubAnswer } from './github-answer';
import { at, listAt, numberAt, textAt } from '../../reading';
import { repositoryKey, type RepositoryPath, type RepositoryRoute } from './routes';

const MOST_REMEMBERED = 500;
const MINUTE_MS = 60_000;
const USUAL_PATIENCE_MS = MINUTE_MS;
const SHOWING_PATIENCE_MS = 10 * MINUTE_MS;

/**
 * Requests that only show people the state of a pull request. Sent to a wrong repository, they do little harm: either
 * they do not find their commit or comment, or they add a comment about another pull request.
 */
const SHOWING: readonly RepositoryRoute[] = [
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
  'POST /repos/{owner}/{repo}/statuses/{sha}',
];

/** For each route, the part of an answer that names its repository. */
const SHOWN_IN: Partial<Record<RepositoryRoute, (body: unknown) => unknown>> = {
  'GET /repos/{owner}/{repo}': (body) => body,
  'GET /repos/{owner}/{repo}/pulls': (body) => at(listAt(body)[0], 'base', 'repo'),
  'GET /repos/{owner}/{repo}/pulls/{pull_number}': (body) => at(body, 'base', 'repo'),
  'GET /repos/{owner}/{repo}/commits/{ref}/status': (body) => at(body, 'repository'),
};

/** Whether answers of the route name their repository, so that no earlier request is needed to compare it. */
export function showsItsRepository(route: RepositoryRoute): boolean {
  return SHOWN_IN[route] !== undefined;
}

/** The time after which the repository is compared again, so that another owner of the name is noticed. */
export function patienceOf(route: RepositoryRoute): number {
  return SHOWING.includes(route) ? SHOWING_PATIENCE_MS : USUAL_PATIENCE_MS;
}

/**
 * Compares the repository that has a name now with the registered repository. Only answers of GitHub count, because a
 * delivery may be old, or about the earlier owner of the name.
 */
export class IdentityCheck {
  /** The time of the last comparison of each repository. */
  private readonly compared = new BoundedMap<number>(MOST_REMEMBERED);

  constructor(
    private readonly host: string,
    /** Null: no repository is registered, and any repository is accepted. */
    private readonly identities: Pick<RepositoryIdentities, 'isSame'> | null,
    private readonly clock: Clock,
  ) {}

  isDue(repository: RepositoryPath, patienceMs: number = USUAL_PATIENCE_MS): boolean {
    if (repository.id === undefined || this.identities === null) return false;
    const last = this.compared.get(keyOf(repository)) ?? Number.NEGATIVE_INFINITY;
    return this.clock.now().getTime() - last >= patienceMs;
  }

  /** Throws HostUnavailable if the answer is about another repository than the registered repository. */
  async compare(repository: RepositoryPath, route: RepositoryRoute, answer: GitHubAnswer | null): Promise<void> {
    const { id } = repository;
    const found = answer?.type === 'answered' ? shownIn(SHOWN_IN[route]?.(answer.body)) : null;
    if (id === undefined || this.identities === null || found === null) return;
    const askedAt = this.clock.now().getTime();
    if (await this.identities.isSame(id, found)) this.compared.set(keyOf(repository), askedAt);
    else throw this.isAnother(repository);
  }

  private isAnother({ owner, name }: RepositoryPath): HostUnavailable {
    const what = `${this.host}: ${owner}/${name} is not the registered repository, which was renamed, moved or deleted`;
    const wayOut = 'Push to the registered repository, so that the service learns its new name, or rename it back';
    return new HostUnavailable(this.host, 'another_repository', `${what}. ${wayOut}`);
  }
}

function shownIn(shown: unknown): IdentifiedRepository | null {
  const id = numberAt(shown, 'id');
  const named = parseRepositoryPath(textAt(shown, 'full_name') ?? '');
  return id === null || named === null ? null : { ...named, hostId: String(id) };
}

function keyOf(repository: RepositoryPath): string {
  return `${repository.id} ${repositoryKey(repository)}`;
}
