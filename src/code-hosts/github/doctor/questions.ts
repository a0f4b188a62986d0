import { HostUnavailable } from '../../../domain/code-host.port';
import type { Credentials } from '../client/credentials';
import { textAt, timeAt } from '../../reading';
import type { ParametersOf, RepositoryPath, Route } from '../client/routes';
import type { Transport } from '../client/transport';
import type { Read } from './facts';

const FIRST_REFUSAL = 400;
const FIRST_FAILURE = 500;
const TOO_MANY_REQUESTS = 429;

export interface Questioned {
  readonly read: Read<unknown>;
  /** The time of the answer by GitHub's clock. */
  readonly answeredAt: Date | null;
}

/** Asks once and caches nothing: the doctor needs GitHub's present answers, refusals included. */
export class GitHubQuestions {
  constructor(
    private readonly transport: Transport,
    private readonly credentials: Credentials,
  ) {}

  get hasApp(): boolean {
    return this.credentials.appToken() !== null;
  }

  /** The login of the service; null if GitHub answers, but does not name it. */
  async ownLogin(): Promise<Read<string | null>> {
    try {
      return { type: 'read', fact: await this.credentials.ownLogin() };
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
      return { type: 'no_answer', why: error.message };
    }
  }

  asApp<R extends Route>(route: R, parameters: ParametersOf<R>): Promise<Questioned> {
    return this.ask(route, parameters, () => Promise.resolve(this.credentials.appToken()?.token ?? null));
  }

  /** Sends a request with the token for that repository. */
  about<R extends Route>(repository: RepositoryPath, route: R, parameters: ParametersOf<R>): Promise<Questioned> {
    return this.ask(route, parameters, async () => (await this.credentials.tokenFor(repository))?.token ?? null);
  }

  private async ask(route: Route, parameters: object, findToken: () => Promise<string | null>): Promise<Questioned> {
    try {
      const token = await findToken();
      if (token === null) return { read: { type: 'no_answer', why: 'the service has no access' }, answeredAt: null };
      const headers = { authorization: `Bearer ${token}` };
      const { status, headers: said, body } = await this.transport.send({ route, parameters, headers });
      return { read: readingOf(status, body), answeredAt: timeAt(said, 'date') };
    } catch (error) {
      if (!(error instanceof HostUnavailable)) throw error;
      return { read: { type: 'no_answer', why: error.message }, answeredAt: null };
    }
  }
}

/** Reads an answer. A server that fails, or limits the requests of the service, says nothing about the question. */
function readingOf(status: number, body: unknown): Read<unknown> {
  if (status < FIRST_REFUSAL) return { type: 'read', fact: body };
  const message = textAt(body, 'message') ?? `it answered with ${status}`;
  if (status >= FIRST_FAILURE || status === TOO_MANY_REQUESTS) return { type: 'no_answer', why: message };
  return { type: 'refused', status, message };
}

/** The answer, with its body read as facts. */
export function asFacts<Fact>(read: Read<unknown>, factsIn: (body: unknown) => Fact): Read<Fact> {
  return read.type === 'read' ? { type: 'read', fact: factsIn(read.fact) } : read;
}
