import { runTests } from './test-command';

const BYTES = [0x61, 0x0a, 0xff, 0x00, 0xc3, 0x28, 0x1b, 0x5b, 0x31, 0x6d, 0x0d];

function recorded(stream: NodeJS.WriteStream): Buffer[] {
  const chunks: Buffer[] = [];
  jest.spyOn(stream, 'write').mockImplementation((chunk) => chunks.push(Buffer.from(chunk)) > 0);
  return chunks;
}

describe('a test command with watched output', () => {
  afterEach(() => jest.restoreAllMocks());

  it('has its standard output and error output forwarded separately, byte for byte', async () => {
    const [out, err] = [recorded(process.stdout), recorded(process.stderr)];
    const print = `process.stdout.write(Buffer.from(${JSON.stringify(BYTES)})); process.stderr.write('x'.repeat(300000));`;
    const end = await runTests([process.execPath, '-e', print], 'watched');
    expect(end).toMatchObject({ exit: 0, wasKilled: false });
    expect([...Buffer.concat(out)]).toEqual(BYTES);
    expect(Buffer.concat(err).toString()).toBe('x'.repeat(300_000));
  });

  it('ends although a process that it started keeps the output open', async () => {
    const out = recorded(process.stdout);
    const lasting = `require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => 0, 20000)'],
      { stdio: ['ignore', 'inherit', 'inherit'], detached: true }).unref(); console.log('adds'); process.exitCode = 3;`;
    const before = Date.now();
    expect(await runTests([process.execPath, '-e', lasting], 'watched')).toMatchObject({ exit: 3 });
    expect(Date.now() - before).toBeLessThan(15_000);
    expect(Buffer.concat(out).toString()).toBe('adds\n');
  });

  it('is reported as not run if the command does not exist', async () => {
    await expect(runTests(['no-such-command'], 'watched')).rejects.toMatchObject({ exit: 127, code: 'TESTS_NOT_RUN' });
  });
});
