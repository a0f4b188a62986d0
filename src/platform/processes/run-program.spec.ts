import { outputOfProgram, runProgram } from './run-program';

const surroundings = { env: { PATH: process.env.PATH ?? '', NAME: 'Ada' }, cwd: '/' };

describe('a program that is run to its end', () => {
  it('returns its exit code and output, and runs in its folder and environment', async () => {
    const end = await runProgram('sh', ['-c', 'pwd; echo "$NAME" >&2; exit 3'], surroundings);
    expect(end).toEqual({ code: 3, stdout: '/\n', stderr: 'Ada\n' });
  });

  it('returns its output, or gives an error that contains its error output', async () => {
    expect(await outputOfProgram('sh', ['-c', 'echo yes'], surroundings)).toBe('yes\n');
    await expect(outputOfProgram('sh', ['-c', 'echo no >&2; exit 1'], surroundings)).rejects.toThrow(
      /^sh -c .* ended with 1: no$/,
    );
  });

  it('gives an error when it cannot be started, or when a signal ends it', async () => {
    await expect(runProgram('no-such-program', [], surroundings)).rejects.toThrow(
      'no-such-program could not be started: spawn no-such-program ENOENT',
    );
    await expect(runProgram('sh', ['-c', 'kill -9 $$'], surroundings)).rejects.toThrow('sh was ended by SIGKILL');
  });

  it('is killed when it writes endlessly, and the last of its error output is kept', async () => {
    await expect(runProgram('yes', [], surroundings)).rejects.toThrow('yes wrote more than 16777216 bytes');
    const { stderr } = await runProgram('sh', ['-c', 'yes | head -c 1000000 >&2; echo last >&2'], surroundings);
    expect([stderr.length, stderr.slice(-7)]).toEqual([65_536, 'y\nlast\n']);
  });
});
