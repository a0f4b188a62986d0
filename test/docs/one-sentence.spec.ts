import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runSluice } from '../../src/cli/run-sluice';
import { commentOn } from '../../src/engine/messages/comment';
import { reasonSentence, REASONS } from '../../src/engine/messages/reason-sentence';
import { stateMessage } from '../../src/engine/messages/state-message';
import { statusCheckOn } from '../../src/engine/messages/status-check';
import { storySentence } from '../../src/engine/messages/story';
import type { FailedRun, PullRequestViewFacts } from '../../src/engine/pull-request-view-facts';
import type { EntryState, StateReason } from '../../src/engine/vocabulary';
import { DomainError } from '../../src/platform/errors/domain-error';
import { ERROR_CODES, type ErrorCode } from '../../src/platform/errors/error-codes';
import { errorPage } from '../../src/ui/pages/error.view';
import { wordsOfReason } from '../../src/modules/views/reason-words';
import type { Visit } from '../../src/ui/visit';
import { EngineDay } from '../support/engine-day';
import { readDocument } from './documents';
import { wordsOfType } from './said';

const LONGEST_FIRST_LINE = 100;
const CODES = Object.keys(ERROR_CODES) as readonly ErrorCode[];
const MERGED: readonly string[] = ['merge_graph_merge', 'merge_graph_direct_merge', 'manual_merge'];
const FAILED = wordsOfType('FailedReason');
const CANCELLED = wordsOfType('CancelledReason');
const PENDING = wordsOfType('PendingReason');
const HOST = { branch: 'main', host: 'git.example' };

const RUN: FailedRun = {
  commit: 'a'.repeat(40),
  failure: { type: 'status', names: ['ci'], depth: 0, reused: false },
  timeoutMinutes: 300,
  own: [1],
  builtOn: [],
  statuses: [],
};

/** The text without Markdown marks and in lower case, because a clause begins a sentence in only some places. */
function plainly(text: string): string {
  return text.replace(/[`*]/g, '').toLowerCase();
}

function stateOf(reason: string): EntryState {
  if (MERGED.includes(reason)) return 'merged';
  if (FAILED.includes(reason)) return 'failed';
  if (CANCELLED.includes(reason)) return 'cancelled';
  return PENDING.includes(reason) ? 'pending' : 'tests_passed';
}

function factsOf(reason: StateReason, failedRun: FailedRun | null = null): PullRequestViewFacts {
  const day = new EngineDay();
  day.submit(1);
  const state = stateOf(reason);
  const entry = { ...day.entry(1), state, stateReason: reason, stateActor: null, timesLost: 1 };
  const beside = { expectedEnd: null, ahead: 0, failedTests: null, landedAs: null, details: null };
  return { brand: 'sluice', queue: day.queue, entry, now: day.now, failedRun, ...beside };
}

function sentenceOf(reason: StateReason): string {
  return plainly(reasonSentence(reason, { ...HOST, notReadyHours: 24 }));
}

function toldOf(reason: StateReason): string {
  const line = { type: 'entryMoved', to: stateOf(reason), reason, actor: null, number: 1, branch: 'main' } as const;
  return storySentence({ ...line, details: null, priority: null, becauseOf: [], run: null });
}

/** A stand-in for the service that answers every request of the command line with one status and body. */
async function cliOn(status: number, body: object): Promise<string> {
  const server: Server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let said = '';
  const say = (text: string) => void (said += text);
  const asked = ['pr', 'status', 'git.example/acme/widgets', '1', '--url', url, '--token', 'slc_secret'];
  await runSluice(asked, { out: say, err: say, columns: undefined });
  server.close();
  return said;
}

describe('the sentence that describes a reason', () => {
  it('exists for every reason of the engine', () => {
    const all = ['PendingReason', 'FailedReason', 'CancelledReason', 'MergedReason', 'NotReadyReason', 'PassedReason'];
    expect([...REASONS].sort()).toEqual([...new Set(all.flatMap(wordsOfType))].sort());
    expect(new Set(REASONS.map(sentenceOf)).size).toBeGreaterThanOrEqual(REASONS.length - 1);
  });

  it.each(REASONS)('fits into a first line, and does not begin with a name: %s', (reason) => {
    expect(sentenceOf(reason).length).toBeLessThanOrEqual(LONGEST_FIRST_LINE);
    expect(reasonSentence(reason, { branch: '#', host: '#', actor: '#', others: [7] })).toMatch(/^[a-z]/);
  });

  it.each([...FAILED, ...CANCELLED, ...MERGED] as readonly StateReason[])(
    'is in the comment and in the status check: %s',
    (reason) => {
      const facts = factsOf(reason);
      expect(plainly(commentOn(facts))).toContain(sentenceOf(reason));
      const isSaidByTitle = MERGED.includes(reason) || reason === 'dry_run_passed';
      const line = isSaidByTitle ? commentOn(facts) : statusCheckOn(facts).description;
      expect(plainly(line)).toContain(sentenceOf(reason));
    },
  );

  it.each(PENDING.filter((reason) => reason !== 'merge_item_now_ready') as readonly StateReason[])(
    'is in the comment of a pull request that is tested again: %s',
    (reason) => expect(plainly(commentOn(factsOf(reason)))).toContain(sentenceOf(reason)),
  );

  it.each(FAILED.filter((reason) => reason.startsWith('test_run_')) as readonly StateReason[])(
    'is in the comment, the status check and the record of the failed run: %s',
    (reason) => {
      const facts = factsOf(reason, RUN);
      const places = [commentOn(facts), statusCheckOn(facts).description, stateMessage(facts) ?? ''];
      expect(places.filter((text) => !plainly(text).includes(sentenceOf(reason)))).toEqual([]);
    },
  );

  it.each([...FAILED, ...CANCELLED, 'manual_merge'] as readonly StateReason[])(
    'is in the record of the API, and in the output of the command line: %s',
    async (reason) => {
      const said = stateMessage(factsOf(reason)) ?? '';
      expect(plainly(said)).toContain(sentenceOf(reason));
      const record = { prNumber: 1, prTitle: 'A', state: stateOf(reason), stateReason: reason, stateMessage: said };
      expect(await cliOn(200, { ...record, prSha: 'a'.repeat(40), waitingFor: null })).toContain(said);
    },
  );

  it.each([...FAILED, ...CANCELLED, ...PENDING, ...MERGED] as readonly StateReason[])(
    'is in the timeline and on the history page: %s',
    (reason) => {
      expect(plainly(toldOf(reason))).toContain(plainly(reasonSentence(reason, { branch: 'main' })));
      expect(plainly(wordsOfReason(reason).text)).toBe(plainly(reasonSentence(reason)));
    },
  );

  it.each([...FAILED, ...CANCELLED, ...PENDING] as readonly StateReason[])('is in reasons.md: %s', (reason) => {
    const rows = readDocument('docs/reasons.md').split('\n');
    const [row = ''] = rows.filter((line) => /^\| /.test(line) && line.includes(`\`${reason}\``));
    expect(plainly(row)).toContain(plainly(reasonSentence(reason)));
  });

  it('differs on the history page between a failure and a removal', () => {
    expect(REASONS.filter((reason) => wordsOfReason(reason).isFailure).sort()).toEqual([...FAILED].sort());
  });
});

describe('the message of an error code', () => {
  it.each(CODES)('is a sentence with a short first line: %s', (code) => {
    const { example } = ERROR_CODES[code];
    expect(example).toMatch(/^[\w"].*[.]$/);
    expect(example.length).toBeLessThanOrEqual(LONGEST_FIRST_LINE);
  });

  it.each(CODES)('is the same in the API, on the page and in the command line: %s', async (code) => {
    const { example, status } = ERROR_CODES[code];
    const error = new DomainError(code, example);
    expect([error.status, error.message]).toEqual([status, example]);
    const visit = { caller: null, requestId: 'x', path: '/ui', cookies: {} } as unknown as Visit;
    expect(errorPage(visit, error).toString().replaceAll('&#39;', "'").replaceAll('&quot;', '"')).toContain(example);
    expect(await cliOn(status, { error: { code, message: error.message, requestId: 'x' } })).toContain(
      `sluice: ${example}\n`,
    );
  });
});
