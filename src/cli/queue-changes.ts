import { setTimeout as after } from 'node:timers/promises';
import type { RepositoryName } from '../platform/repository-name';
import type { ApiClient } from './api-client';
import { CliError } from './cli-error';

/** A connection counts as lost after this silence: the service sends `ping` after 15 seconds of silence. */
const MOST_SILENT_MS = 45_000;
const FIRST_WAIT_MS = 1_000;
const MOST_WAIT_MS = 15_000;
/**
 * The command gives up after this time without the service. A restart of the service takes seconds, a restart of the
 * machine minutes.
 */
const MOST_AWAY_MS = 300_000;
/** Temporary errors. Any other error ends the command. */
const PASSING = ['UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMIT_EXCEEDED'];

interface Watched<T extends { readonly version: number }> {
  readonly api: ApiClient;
  readonly queue: { readonly repo: RepositoryName; readonly branch: string };
  readonly read: () => Promise<T>;
  /** Called once each time that the connection is lost. */
  readonly onAway: (why: CliError) => void;
}

/**
 * Yields the result of `read` now, and again whenever `GET /v1/events` reports a decision of the queue. Retries when
 * the connection to the service is lost. Throws if the service has never answered.
 */
export async function* readWheneverItChanges<T extends { readonly version: number }>({
  api,
  queue,
  read,
  onAway,
}: Watched<T>): AsyncGenerator<T> {
  const { host, owner, name } = queue.repo;
  const question = new URLSearchParams({ repo: `${host}/${owner}/${name}`, targetBranch: queue.branch });
  let wasThere = false;
  let away: { readonly since: number; waitMs: number } | null = null;
  for (;;) {
    try {
      let seen = -1;
      for await (const version of versionsOf(api, `/v1/events?${question.toString()}`)) {
        if (version <= seen) continue;
        const answer = await read();
        wasThere = true;
        away = null;
        seen = answer.version;
        yield answer;
      }
      throw new CliError('The service ended the stream.', { code: 'UNAVAILABLE' });
    } catch (error) {
      if (!wasThere || !passes(error)) throw error;
      if (away === null) onAway(error);
      away ??= { since: performance.now(), waitMs: FIRST_WAIT_MS };
      if (performance.now() - away.since > MOST_AWAY_MS) throw error;
      await after(away.waitMs);
      away.waitMs = Math.min(2 * away.waitMs, MOST_WAIT_MS);
    }
  }
}

function passes(error: unknown): error is CliError {
  return error instanceof CliError && PASSING.includes(error.code);
}

async function* versionsOf(api: ApiClient, path: string): AsyncGenerator<number> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), MOST_SILENT_MS);
  try {
    let text = '';
    for await (const part of api.stream(path, ending.signal)) {
      timer.refresh();
      const events = `${text}${part}`.split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        const version = /^event: version\ndata: .*"version":(\d+)\}$/.exec(event)?.[1];
        if (version !== undefined) yield Number(version);
      }
    }
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}
