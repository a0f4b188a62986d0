import { setTimeout as passed } from 'node:timers/promises';
import { listAt, numberAt, textAt } from '../../../code-hosts/reading';
import { StepRefused } from './tested-server';

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiRequestParts {
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly headersOf: (token: string) => Readonly<Record<string, string>>;
  /** The minimum time between two requests that create something, because public hosts limit such requests. */
  readonly paceMs?: number;
}

interface Asked {
  readonly token: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const MOST_PAGES = 20;
const LIMIT_MS = 30_000;
const TRIES = 8;
const BETWEEN_TRIES_MS = 300;

/**
 * API requests of people. `path` is relative to the root of the API, or an absolute URL. Redirects are returned as
 * answers.
 */
export class ApiRequests {
  private nextWriteAt = 0;

  constructor(private readonly parts: ApiRequestParts) {}

  /**
   * Returns the answer, whatever its status. Throws StepRefused when there is no answer. Retries 500, which busy
   * servers answer.
   */
  async ask(method: string, path: string, asked: Asked): Promise<ApiAnswer> {
    for (let tries = 1; ; tries++) {
      if (method !== 'GET') await this.pace();
      const answer = await this.send(method, path, asked);
      if (answer.status !== 500 || tries === TRIES) return answer;
      await passed(BETWEEN_TRIES_MS);
    }
  }

  /** The body of a successful answer. Throws StepRefused for any other answer. */
  async need(method: string, path: string, asked: Asked): Promise<unknown> {
    const answer = await this.ask(method, path, asked);
    if (answer.status < 300) return answer.body;
    throw apiRefusal(method, path, answer);
  }

  private async pace(): Promise<void> {
    const { paceMs = 0 } = this.parts;
    if (paceMs === 0) return;
    const wait = this.nextWriteAt - performance.now();
    this.nextWriteAt = Math.max(this.nextWriteAt, performance.now()) + paceMs;
    if (wait > 0) await passed(wait);
  }

  private async send(method: string, path: string, { token, body, headers = {} }: Asked): Promise<ApiAnswer> {
    const { apiUrl, headersOf } = this.parts;
    try {
      const answer = await fetch(path.startsWith('/') ? `${apiUrl}${path}` : path, {
        ...{ method, redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) },
        headers: {
          ...{ accept: 'application/json', 'user-agent': 'sluice-certify' },
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headersOf(token),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: answer.status, body: parsed(await answer.text()) };
    } catch (error) {
      const { cause, message } = error as Error & { cause?: { message?: string } };
      throw new StepRefused(`${method} ${path}: no answer (${cause?.message ?? message})`);
    }
  }
}

/** The number that the server gave to a new thing. Throws StepRefused. */
export function idIn(body: unknown): number {
  const id = numberAt(body, 'id');
  if (id === null) throw new StepRefused('the server created something, and its answer has no number');
  return id;
}

/** The items of all pages, which are counted from 1. The first page with fewer items than `full` is the last. */
export async function itemsOfPages(
  full: number,
  pageAt: (page: number) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const items = listAt(await pageAt(page));
    found.push(...items);
    if (items.length < full) return found;
  }
  throw new StepRefused(`a list of the server has more than ${MOST_PAGES} pages`);
}

export function apiRefusal(method: string, path: string, { status, body }: ApiAnswer): StepRefused {
  const words = textAt(body, 'message') ?? (typeof body === 'string' ? body.slice(0, 200) : '');
  return new StepRefused(`${method} ${path}: the server answered ${status} ${words}`.trim(), status);
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}
