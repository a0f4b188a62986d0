import { bodyFinding } from './body-size';

const find = (status: number, text: string) =>
  bodyFinding('https://sluice.example', { type: 'answered', status, headers: { server: 'nginx' }, text });
const errorOf = (code: string): string => JSON.stringify({ error: { code } });

describe('bodyFinding', () => {
  it.each([
    [400, errorOf('VALIDATION_FAILED'), 'ok', 'a body of 20 MiB arrives'],
    [413, '<html>', 'problem', 'a body of 20 MiB is refused by nginx (413)'],
    [429, errorOf('RATE_LIMIT_EXCEEDED'), 'unknown', 'the answer was 429 RATE_LIMIT_EXCEEDED'],
    [504, '<html>', 'unknown', 'the answer was 504 of nginx'],
  ])('tells from the answer %d %s whether a large body arrives', (status, text, verdict, what) => {
    expect(find(status, text)).toMatchObject({ verdict, what: expect.stringContaining(what) as string });
  });

  it('reports a problem if the connection is cut', () => {
    expect(bodyFinding('https://sluice.example', { type: 'no_answer', why: 'ECONNRESET' })).toMatchObject({
      verdict: 'problem',
      what: 'a body of 20 MiB does not arrive: ECONNRESET',
      advice: expect.stringContaining('client_max_body_size 20m') as string,
    });
  });
});
