import { testCaseId } from '../../../src/modules/test-health/rules/test-identity';
import { DAY_MS } from '../../../src/modules/test-health/rules/days';

export const DAYS = 45;
export const TESTS = 50_000;
/** Tests that nearly always fail. */
export const BROKEN = 100;
/** Tests that fail in 1 to 30 of 100 runs. All other tests never fail. */
export const FLAKY = 1_500;
const MESSAGES_AT_MOST = 3;
/** An upload covers a tenth of the tests: a shard, or the tests of a pull request. */
export const TESTS_PER_UPLOAD = TESTS / 10;
const TAKES_MS = 20 * 60_000;
const PULL_REQUESTS_PER_DAY = 40;

export interface MadeTest {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  /** Share of the test's runs that fail. */
  readonly failureRate: number;
  readonly messages: readonly MadeMessage[];
}

export interface MadeMessage {
  readonly id: number;
  readonly summary: string;
}

export interface MadeUpload {
  readonly number: number;
  readonly receivedAt: Date;
  readonly branchClass: 'queue' | 'pull_request' | 'stable';
  readonly prNumber: number | null;
  readonly counted: boolean;
  readonly firstTest: number;
}

/** Returns a generator that gives the same numbers on every machine. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function makeTests(repositoryId: string): MadeTest[] {
  const next = random(1);
  return Array.from({ length: TESTS }, (_, number): MadeTest => {
    // Spreads the kinds of tests over all shards.
    const place = (number * 7_919) % TESTS;
    const failureRate = place < BROKEN ? 0.95 : place < BROKEN + FLAKY ? 0.01 + 0.29 * next() : 0;
    const identity = {
      file: `packages/app/test/area-${number % 97}/suite-${Math.floor(number / 40)}.spec.ts`,
      classname: `App area ${number % 97}`,
      parent: `Suite ${Math.floor(number / 40)}`,
      name: `behaves as described in case ${number}`,
      variant: '',
    };
    const count = failureRate === 0 ? 0 : 1 + Math.floor(next() * MESSAGES_AT_MOST);
    const messages = Array.from({ length: count }, (_message, i) => ({
      id: number * MESSAGES_AT_MOST + i + 1,
      summary: `AssertionError: expected the ${i + 1}. answer of case # to be a list of # widgets, and it was a list of #`,
    }));
    return { id: testCaseId(repositoryId, identity), name: identity.name, file: identity.file, failureRate, messages };
  });
}

/** Spreads uploads evenly over the days up to `now`, the oldest first. */
export function makeUploads(results: number, now: Date): MadeUpload[] {
  const next = random(2);
  const count = Math.round(results / TESTS_PER_UPLOAD);
  const everyMs = (DAYS * DAY_MS) / count;
  return Array.from({ length: count }, (_, number): MadeUpload => {
    const receivedAt = new Date(now.getTime() - (count - 1 - number) * everyMs);
    const day = Math.floor(receivedAt.getTime() / DAY_MS);
    const share = next();
    const branchClass = share < 0.6 ? 'pull_request' : share < 0.85 ? 'queue' : 'stable';
    const pullRequest = (day % 1_000) * PULL_REQUESTS_PER_DAY + Math.floor(next() * PULL_REQUESTS_PER_DAY);
    return {
      number: number + 1,
      receivedAt,
      branchClass,
      prNumber: branchClass === 'stable' ? null : pullRequest,
      counted: next() >= 0.01,
      firstTest: Math.floor(next() * 10) * TESTS_PER_UPLOAD,
    };
  });
}

const CLASSES = { queue: 0, pull_request: 1, stable: 2 } as const;

/**
 * Lines of COPY with these columns: test_case_id, occurred_at, upload_id, summary_id, duration_ms, pr_number, outcome,
 * branch_class, counted.
 */
export function* resultLines(tests: readonly MadeTest[], upload: MadeUpload): Generator<string> {
  const next = random(upload.number + 1_000);
  const { receivedAt, prNumber, branchClass, counted, number, firstTest } = upload;
  const startedAt = receivedAt.getTime() - TAKES_MS;
  const rest = `${CLASSES[branchClass]}\t${counted ? 't' : 'f'}\n`;
  let lines = '';
  for (let i = 0; i < TESTS_PER_UPLOAD; i++) {
    const { id, failureRate, messages } = tests[firstTest + i]!;
    const at = new Date(startedAt + Math.floor((i / TESTS_PER_UPLOAD) * TAKES_MS)).toISOString();
    const failed = failureRate > 0 && next() < failureRate;
    const outcome = failed ? 1 : i % 50 === 49 ? 2 : 0;
    const summary = failed ? messages[Math.floor(next() * messages.length)]!.id : '\\N';
    lines += `${id}\t${at}\t${number}\t${summary}\t${(i * 37) % 900}\t${prNumber ?? '\\N'}\t${outcome}\t${rest}`;
    if (i % 1_000 === 999) {
      yield lines;
      lines = '';
    }
  }
  if (lines !== '') yield lines;
}
