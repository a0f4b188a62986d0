import type { Exchange } from '../../support/forge/exchange';
import { GitHubContract } from './contract';
import { OPERATIONS_IN_USE } from './operations';
import { toJsonSchema } from './json-schema';

const REPO = '/repos/acme/widgets';
const contract = GitHubContract.load();

const exchange = (method: string, path: string, more: Partial<Exchange> = {}): Exchange => ({
  method,
  path,
  query: '',
  requestBody: undefined,
  status: 200,
  responseBody: undefined,
  mediaType: 'application/json',
  ...more,
});

const sent = (method: string, path: string, requestBody?: unknown, query = ''): readonly string[] =>
  contract.checkExchange(exchange(method, path, { requestBody, query })).requestErrors;

const answered = (method: string, path: string, status: number, responseBody?: unknown): readonly string[] =>
  contract.checkExchange(
    exchange(method, path, { status, responseBody, mediaType: responseBody === undefined ? null : 'application/json' }),
  ).responseErrors;

describe('the recorded contract with GitHub', () => {
  it("names the description of GitHub's API from which it was made, and has each operation that Sluice uses once", () => {
    expect(contract.file.source).toMatch(/^@octokit\/openapi \d+\.\d+\.\d+$/);
    expect(contract.file.operations.map(({ id }) => id)).toEqual(OPERATIONS_IN_USE);
  });

  it.each<[string, string, unknown?, string?]>([
    ['PUT', `${REPO}/pulls/7/merge`, { merge_method: 'squash', sha: '1'.repeat(40) }],
    ['PUT', `${REPO}/pulls/7/merge`],
    ['GET', `${REPO}/pulls`, undefined, 'state=open&per_page=100'],
    ['GET', `${REPO}/branches/release%2F1.0`],
    ['GET', `${REPO}/branches/release/1.0`],
    ['DELETE', `${REPO}/git/refs/heads/a/b`],
    ['POST', `${REPO}/statuses/abc`, { state: 'pending', target_url: null, description: null }],
    ['POST', '/graphql', { query: '{ viewer { login } }' }],
  ])('accepts the request %s %s', (...request) => {
    expect(sent(...request)).toEqual([]);
  });

  it.each<[string, string, string, unknown, string, RegExp]>([
    [
      'a word of our own',
      'PUT',
      `${REPO}/pulls/7/merge`,
      { merge_method: 'merge_commit' },
      '',
      /merge_method.*"squash"/,
    ],
    [
      'a misspelt field',
      'PUT',
      `${REPO}/pulls/7/merge`,
      { merge_methd: 'squash' },
      '',
      /additional properties: merge_methd/,
    ],
    ['a misspelt state', 'POST', `${REPO}/statuses/abc`, { state: 'succes' }, '', /state/],
    ['a missing field', 'POST', `${REPO}/merges`, { base: 'main' }, '', /required property 'head'/],
    ['a missing body', 'POST', `${REPO}/merges`, undefined, '', /body is missing/],
    ['a wrong type', 'PATCH', `${REPO}/issues/comments/1`, { body: 1 }, '', /body.*string/],
    ['a wrong method', 'POST', `${REPO}/pulls/7/merge`, {}, '', /no operation/],
    ['a number that is none', 'GET', `${REPO}/pulls/seven`, undefined, '', /path pull_number/],
    ['an unknown query', 'GET', `${REPO}/pulls`, undefined, 'stat=open', /query stat is unknown/],
    ['a wrong query', 'GET', `${REPO}/pulls`, undefined, 'state=opened', /query state/],
    ['a query that is no number', 'GET', `${REPO}/pulls`, undefined, 'per_page=many', /query per_page/],
    ['a body where none belongs', 'DELETE', `${REPO}/git/refs/heads/a`, {}, '', /takes no body/],
    ['an operation that nobody has announced to use', 'GET', `${REPO}/labels`, undefined, '', /no operation/],
  ])('refuses a request with %s', (_, method, path, body, query, error) => {
    expect(sent(method, path, body, query)).toEqual([expect.stringMatching(error)]);
  });

  it.each<[string, string, string, number, unknown, RegExp]>([
    ['a status that is not described', 'GET', `${REPO}/pulls/7`, 418, { message: 'teapot' }, /418 is not described/],
    ['an error without a message', 'PUT', `${REPO}/pulls/7/merge`, 405, {}, /message/],
    ['an answer that lacks a field', 'PUT', `${REPO}/pulls/7/merge`, 200, { sha: 'a', merged: true }, /'message'/],
    ['null where there is none', 'PUT', `${REPO}/pulls/7/merge`, 200, { sha: null, merged: true, message: '' }, /sha/],
    ['a date that is none', 'GET', `${REPO}/issues/1/comments`, 200, [{ created_at: 'noon' }], /created_at.*date-time/],
    ['a body of nothing', 'DELETE', `${REPO}/git/refs/heads/a`, 204, {}, /has a body/],
    ['no body of something', 'GET', `${REPO}/pulls`, 200, undefined, /array/],
  ])('does not accept an answer of GitHub with %s', (_, method, path, status, body, error) => {
    expect(answered(method, path, status, body).join('\n')).toMatch(error);
  });

  it("accepts null if GitHub's description says that a field may be null", () => {
    const user = { nullable: true, allOf: [{ type: 'object' }] };
    expect(toJsonSchema(user)).toEqual({ anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }] });
    expect(toJsonSchema({ nullable: true, type: 'string', enum: ['a'] })).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
  });

  it('leaves out prose of the description, but no field that has the same name', () => {
    const schema = {
      description: 'x',
      properties: { description: { type: 'string', example: 'x' } },
      required: ['title'],
    };
    expect(toJsonSchema(schema)).toEqual({ properties: { description: { type: 'string' } }, required: ['title'] });
  });

  it.each([401, 403, 404, 422, 429])('allows the status %i for the answer to any operation', (status) => {
    expect(
      answered('POST', `${REPO}/merges`, status, { message: 'no', documentation_url: 'https://docs.example' }),
    ).toEqual([]);
  });

  it('allows an answer without JSON from the servers in front of GitHub', () => {
    const answer = exchange('GET', `${REPO}/pulls`, { status: 502, mediaType: 'text/html' });
    expect(contract.checkExchange(answer).responseErrors).toEqual([]);
  });
});
