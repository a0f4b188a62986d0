import type { HostRepository } from '../../../domain/code-host.port';
import { BoundedMap } from '../../bounded-map';
import type { GitHubApi } from '../client/github-api';
import { listAt, numberAt, textAt } from '../../reading';
import { repositoryKey } from '../client/routes';

const MOST_KNOWN = 2_000;

/**
 * Finds the service's own comments: they contain its marker and, where its login is known, have it as author. Found comments
 * are remembered, so that an edit is one request.
 */
export class OwnComments {
  private readonly known = new BoundedMap<number>(MOST_KNOWN);

  constructor(private readonly api: GitHubApi) {}

  /** The oldest one with that marker under the pull request; null when there is none. */
  async find(repository: HostRepository, number: number, marker: string): Promise<number | null> {
    const known = this.known.get(nameOf(repository, number, marker));
    if (known !== undefined) return known;
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
    const comments = await this.api.readAll(repository, route, { issue_number: number }, (body) => listAt(body));
    const author = await this.api.credentials.ownLogin();
    const own = (comments ?? []).find(
      (comment) =>
        textAt(comment, 'body')?.includes(marker) === true &&
        (author === null || textAt(comment, 'user', 'login') === author),
    );
    const id = numberAt(own, 'id');
    if (id !== null) this.remember(repository, number, marker, id);
    return id;
  }

  remember(repository: HostRepository, number: number, marker: string, id: number): void {
    this.known.set(nameOf(repository, number, marker), id);
  }

  forget(repository: HostRepository, number: number, marker: string): void {
    this.known.delete(nameOf(repository, number, marker));
  }
}

function nameOf(repository: HostRepository, number: number, marker: string): string {
  return `${repositoryKey(repository)}#${number} ${marker}`;
}
