import { answerFinding } from './answer-finding';

const find = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  answerFinding('https://sluice.example', {
    type: 'answered',
    status,
    headers,
    text: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('answerFinding', () => {
  it('finds a service that is ready', () => {
    expect(find(200, { status: 'ready', checks: { database: 'ok' } })).toMatchObject({
      verdict: 'ok',
      what: 'the service answers, and is ready',
    });
  });

  it.each([
    [
      503,
      { status: 'not_ready', checks: { database: { problem: 'is away' }, disk: 'ok' } },
      {},
      'the service answers, and is not ready (not_ready: database)',
    ],
    [503, { status: 'stopping', checks: {} }, {}, 'the service answers, and is not ready (stopping)'],
    [301, '', { location: 'https://www.sluice.example/' }, 'redirects to https://www.sluice.example/'],
    [502, '<html>', { server: 'nginx' }, 'nginx answers 502, but the service does not'],
    [404, '<html>', { via: '1.1 cache' }, '1.1 cache answers 404, but the service does not'],
    [200, '<html>', {}, 'something else answers 200, but the service does not'],
    [200, { status: 'fine' }, {}, 'something else answers 200, but the service does not'],
  ])('finds a problem in the answer %s %j', (status, body, headers, what) => {
    expect(find(status, body, headers)).toMatchObject({ verdict: 'problem', what });
  });

  it('gives the next step if nothing answers', () => {
    expect(answerFinding('https://sluice.example', { type: 'no_answer', why: 'ENOTFOUND' })).toEqual({
      verdict: 'problem',
      about: 'https://sluice.example',
      what: 'no service answers: ENOTFOUND',
      advice: 'Start it: sluice serve. Or name another URL with --url or SLUICE_URL.',
    });
  });
});
