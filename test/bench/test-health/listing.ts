import { performance } from 'node:perf_hooks';
import { DAY_MS } from '../../../src/modules/test-health/rules/days';
import { percentile } from '../table';
import { random } from './made-results';
import type { ProductionService } from './production-service';

const PREFIX = 'flaky-tests/';
const ROUNDS = 400;
const WARM_UP = 40;
const REPO = { host: 'local', owner: 'acme', name: 'widgets' };

export interface ListFigures {
  readonly list: string;
  /** Milliseconds, one number for each service, in the order of the services. */
  readonly p50: readonly number[];
  readonly p95: readonly number[];
}

/** Asks all services each question in turn, so that other work of the machine affects all of them. */
export async function measureLists(services: readonly ProductionService[], now: Date): Promise<ListFigures[]> {
  const figures: ListFigures[] = [];
  for (const [list, bodies] of Object.entries(questions(now))) {
    const times = services.map((): number[] => []);
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const body = JSON.stringify(bodies[(round + WARM_UP) % bodies.length]);
      for (const [i, service] of services.entries()) {
        const milliseconds = await ask(service, list, body);
        if (round >= 0) times[i]!.push(milliseconds);
      }
    }
    const of = (share: number) => times.map((values) => percentile(values, share));
    figures.push({ list, p50: of(0.5), p95: of(0.95) });
  }
  return figures;
}

/**
 * The questions of people and machines: usually about the last week or the last day, and also about another week that
 * begins in mid-day.
 */
function questions(now: Date): Record<string, object[]> {
  const next = random(3);
  const week = (daysAgo: number) => {
    const end = now.getTime() - daysAgo * DAY_MS;
    return { start_time: new Date(end - 7 * DAY_MS).toISOString(), end_time: new Date(end).toISOString() };
  };
  const day = { ...week(0), start_time: new Date(now.getTime() - DAY_MS).toISOString() };
  const others = Array.from({ length: 5 }, () => week(next() * 35));
  const ranges = [week(0), week(0), week(0), day, day, ...others];
  const pages = [25, 100].map((page_size) => ({ repo: REPO, org_url_slug: 'acme', page_query: { page_size } }));
  return {
    'list-failing-tests': ranges.flatMap((range) => pages.map((page) => ({ ...page, ...range }))),
    'list-unhealthy-tests': ['FLAKY', 'BROKEN'].flatMap((status) => pages.map((page) => ({ ...page, status }))),
    'list-quarantined-tests': pages,
  };
}

async function ask({ url, token }: ProductionService, list: string, body: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { 'content-type': 'application/json', 'x-api-token': token };
  const answer = await fetch(`${url}/v1/${PREFIX}${list}`, { method: 'POST', headers, body });
  const text = await answer.text();
  const milliseconds = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`${list}: ${answer.status} ${text}`);
  return milliseconds;
}
