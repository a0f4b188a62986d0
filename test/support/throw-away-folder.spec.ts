import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeWhere, itWhere, LINUX, ROOT } from './only-where';
import { makeThrowAwayFolder } from './throw-away-folder';

describe('the folder of a throw-away server', () => {
  const { TMPDIR } = process.env;
  let memory: string;

  beforeEach(() => {
    memory = mkdtempSync(join(tmpdir(), 'sluice-memory-'));
    delete process.env.TMPDIR;
  });
  afterEach(() => {
    rmSync(memory, { recursive: true });
    if (TMPDIR !== undefined) process.env.TMPDIR = TMPDIR;
  });

  describeWhere(LINUX)('in memory', () => {
    it('removes the files of interrupted runs', () => {
      const { pid } = spawnSync('true');
      for (const name of [`sluice-test-${pid}-a`, `sluice-test-${process.ppid}-b`, 'mine'])
        mkdirSync(join(memory, name, 'postgres'), { recursive: true });
      const folder = makeThrowAwayFolder(memory);
      expect(dirname(folder)).toBe(memory);
      expect(
        readdirSync(memory)
          .map((name) => join(memory, name))
          .sort(),
      ).toEqual([folder, join(memory, `sluice-test-${process.ppid}-b`), join(memory, 'mine')].sort());
    });
  });

  itWhere(ROOT)('can be made although an interrupted run left a file system mounted there', () => {
    const mounted = join(memory, `sluice-test-${spawnSync('true').pid}-a`, 'disk');
    mkdirSync(mounted, { recursive: true });
    const { status } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', mounted]);
    if (status !== 0) return; // root in a container, without the right to mount
    try {
      expect(dirname(makeThrowAwayFolder(memory))).toBe(memory);
    } finally {
      execFileSync('umount', [mounted]);
    }
  });

  it('is not in memory if TMPDIR names another place, or if there is no file system in memory', () => {
    const folders = [makeThrowAwayFolder(join(memory, 'none'))];
    process.env.TMPDIR = tmpdir();
    folders.push(makeThrowAwayFolder());
    expect(folders.map((folder) => dirname(folder))).toEqual([tmpdir(), tmpdir()]);
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
});
