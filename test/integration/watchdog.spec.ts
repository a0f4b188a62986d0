import { spawn } from 'node:child_process';
import { join } from 'node:path';

const TYPESCRIPT = join(__dirname, '../../prisma/engine/load-typescript.cjs');
const PROGRAM = join(__dirname, '../support/stuck-process.ts');

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

function run(kind: string, format: 'json' | 'text' = 'json'): Promise<End> {
  const child = spawn(process.execPath, ['-r', TYPESCRIPT, PROGRAM, kind, format], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => (output += part.toString()));
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, output })));
}

describe('The watchdog', () => {
  it.each([
    ['an endless loop', 'endlessLoop'],
    ['a regular expression', 'slowExpression'],
  ])('ends a process that is stuck in %s, and names the work and the function', async (kind, name) => {
    const { code, output } = await run(kind);
    const line = JSON.parse(output) as Record<string, string>;
    expect({ code, level: line.level, work: line.work }).toEqual({
      code: 70,
      level: 'fatal',
      work: 'the job that hangs',
    });
    expect(line.msg).toMatch(
      /^The event loop stood still for \d+ s, during the job that hangs\. The process ends now, so that it starts again\. It was in /,
    );
    expect(line.msg).toContain(`${name} (`);
  });

  it('ends a process that is stuck in native code, which no debugger can interrupt', async () => {
    const { signal, output } = await run('native code');
    expect(signal).toBe('SIGKILL');
    expect(JSON.parse(output)).toMatchObject({
      work: null,
      msg: expect.stringContaining('in code that the debugger cannot interrupt') as string,
    });
  });

  it('ends a process without a turn after a longer time if the process needed no processor', async () => {
    const { output } = await run('an endless wait');
    expect(output).toContain('The event loop stood still for 1 s');
  });

  it('writes a sentence where the log is for people', async () => {
    const { output } = await run('an endless loop', 'text');
    expect(output).toMatch(/^\d\d:\d\d:\d\d fatal: The event loop stood still for \d+ s, during the job that hangs\./);
  });

  it.each([
    ['is busy and has turns', 'busy turns'],
    ['gets no processor for a while', 'a wait without a processor'],
  ])('leaves a process alone that %s', async (_, kind) => {
    expect(await run(kind)).toEqual({ code: 0, signal: null, output: 'ended by itself\n' });
  });
});
