import { tmpdir } from 'node:os';
import { outputOfProgram, runProgram } from './small-process';

const cwd = tmpdir();

describe('a program that is started by the small helper process', () => {
  it('gets its input, folder and environment, and returns its status and output', () => {
    const script = 'cat; pwd; echo "$NAME" >&2; exit 3';
    const { status, stdout, stderr } = runProgram('sh', ['-c', script], {
      cwd: '/',
      env: { PATH: process.env.PATH, NAME: 'Ada' },
      input: Buffer.from('in\n'),
    });
    expect([status, stdout.toString(), stderr.toString()]).toEqual([3, 'in\n/\n', 'Ada\n']);
  });

  it('may read and write more than the buffer of a pipe', () => {
    const input = Buffer.alloc(5_000_000, 'a line of text\n');
    expect(outputOfProgram('cat', [], { cwd, input }).equals(input)).toBe(true);
  });

  it('may ignore its input', () => {
    expect(outputOfProgram('true', [], { cwd, input: Buffer.alloc(5_000_000) }).toString()).toBe('');
  });

  it('makes the call fail with its error output, or with the reason why it could not start', () => {
    expect(() => outputOfProgram('sh', ['-c', 'echo no >&2; exit 1'], { cwd })).toThrow(
      /^Command failed: sh .*\nno\n$/s,
    );
    expect(() => runProgram('sluice-is-not-there', [], { cwd })).toThrow(
      /sluice-is-not-there could not be started: .*ENOENT/,
    );
  });

  it('returns no exit status if a signal ended it', () => {
    expect(runProgram('sh', ['-c', 'kill -9 $$'], { cwd }).status).toBeNull();
  });
});
