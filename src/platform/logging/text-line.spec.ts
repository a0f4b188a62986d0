import { generateToken } from '../auth/token';
import { createLogger } from './logger';
import { textLine } from './text-line';

const TIME = '2026-11-28T12:34:56.000Z';
const shown = (fields: object) => textLine(JSON.stringify({ level: 'info', time: TIME, ...fields }));
const timeOfDay = new Date(TIME).toLocaleTimeString('en-GB');

describe('a line of the log on a terminal', () => {
  it('is the time of day and the message', () => {
    expect(shown({ context: 'MergeQueue', msg: 'listening on http://[::1]:3000' })).toBe(
      `${timeOfDay} listening on http://[::1]:3000\n`,
    );
  });

  it('names the level of a warning', () => {
    expect(shown({ level: 'warn', msg: 'the disk is nearly full' })).toBe(
      `${timeOfDay} warning: the disk is nearly full\n`,
    );
  });

  it('has the fields of a warning that the message does not name', () => {
    const failed = { level: 'warn', path: '/ui', requestId: 'a-request', of: { queue: 1 } };
    expect(shown({ msg: 'GET /ui failed', ...failed })).toBe(
      `${timeOfDay} warning: GET /ui failed  requestId=a-request  of={"queue":1}\n`,
    );
  });

  it('omits the fields of lines at the level info', () => {
    expect(shown({ msg: 'GET /ui 200', durationMs: 7 })).toBe(`${timeOfDay} GET /ui 200\n`);
  });

  it('is followed by the stack of an error', () => {
    const stack = 'Error: broken\n    at here';
    expect(shown({ level: 'error', msg: 'broken', err: { type: 'Error', stack } })).toBe(
      `${timeOfDay} error: broken\n  Error: broken\n      at here\n`,
    );
  });

  it('attack: does not change the terminal', () => {
    expect(shown({ level: 'error', msg: 'a title: \u001b[2J\u202egnp', branch: '\u001b]0;x\u0007' })).toBe(
      `${timeOfDay} error: a title: \ufffd[2J\ufffdgnp  branch=\ufffd]0;x\ufffd\n`,
    );
  });

  it('never contains a token', () => {
    const lines: string[] = [];
    const token = generateToken();
    createLogger('info', { write: (line: string) => void lines.push(textLine(line)) }).log(`called with ${token}`);
    expect(lines.join('')).toContain('called with slc_[hidden]');
  });
});
