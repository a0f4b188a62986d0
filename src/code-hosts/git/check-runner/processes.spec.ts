import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesNaming } from './processes';

/** With so many processes, some of them have no name at any time: about one in twenty has none. */
const PROCESSES = 60;

describe('endProcessesNaming', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-processes-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('also ends processes that keep starting other programs, and so have no name for a moment', async () => {
    const again = join(folder, 'again.sh');
    writeFileSync(again, `exec sh ${again}\n`);
    const all = Array.from({ length: PROCESSES }, () => spawn('nice', ['-n', '19', 'sh', again], { stdio: 'ignore' }));
    const ends = all.map(async (one) => (await once(one, 'exit')) as unknown[]);
    expect(await endProcessesNaming(folder)).toBe('ended');
    rmSync(again);
    expect(await Promise.all(ends)).toEqual(all.map(() => [null, 'SIGKILL']));
  });
});
