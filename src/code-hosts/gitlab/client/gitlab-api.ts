import { BoundedMap } from '../../bounded-map';
import type { HostRefusal } from '../../forge/client/host-answer';
import { type ApiDialect, TokenApi, type TokenApiParts } from '../../forge/client/token-api';
import { numberAt, textAt } from '../../reading';
import { repositoryKey, type RepositoryPath } from '../../repository-path';

const MOST_PROJECTS = 1_000;
const DIALECT: ApiDialect = {
  authorization: (token) => ({ 'private-token': token }),
  pageSize: 100,
  pageSizeField: 'per_page',
  loginField: 'username',
  messageIn,
};

/**
 * The REST API of GitLab. All requests about a project use its number, because the server redirects reads and refuses
 * writes if a request uses a former path.
 */
export class GitLabApi extends TokenApi {
  private readonly projects = new BoundedMap<number>(MOST_PROJECTS);

  constructor(parts: TokenApiParts) {
    super(parts, DIALECT);
  }

  async findRepository(repository: RepositoryPath): Promise<unknown> {
    const path = `${repository.owner}/${repository.name}`;
    const answer = await this.askServer('GET', `/projects/${encodeURIComponent(path)}`);
    const body = answer.type === 'answered' ? answer.body : null;
    const id = numberAt(body, 'id');
    if (id !== null && textAt(body, 'path_with_namespace')?.toLowerCase() === path.toLowerCase()) {
      this.projects.set(repositoryKey(repository), id);
      return body;
    }
    this.projects.delete(repositoryKey(repository));
    return null;
  }

  async requireProject(repository: RepositoryPath): Promise<number> {
    const known = this.projects.get(repositoryKey(repository));
    if (known !== undefined) return known;
    const id = numberAt(await this.findRepository(repository), 'id');
    if (id === null) throw this.missing(repository);
    return id;
  }

  protected async placeOf(repository: RepositoryPath): Promise<string> {
    return `/projects/${await this.requireProject(repository)}`;
  }

  /** The refusal for a path to which the server has answered with a redirect. */
  protected elsewhere(): HostRefusal {
    return { type: 'refused', status: 404, message: 'the server redirects to another path' };
  }

  protected hasMore({ headers }: { readonly headers: Headers }): boolean {
    return (headers.get('x-next-page') ?? '') !== '';
  }
}

/** The message of an error response. GitLab sends a string, or lists of strings by field. */
function messageIn(body: unknown): string | null {
  const { message, error } = (body ?? {}) as { readonly message?: unknown; readonly error?: unknown };
  const said = message ?? error;
  if (said === undefined || said === null) return null;
  return typeof said === 'string' ? said : JSON.stringify(said);
}
