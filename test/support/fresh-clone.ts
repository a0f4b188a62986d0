import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** Makes a clone as after `npm ci`: the project's files with uncommitted changes, and its packages. */
export function makeFreshClone(): string {
  const clone = mkdtempSync(join(tmpdir(), 'sluice-clone-'));
  chmodSync(clone, 0o711); // when the tests run as root, PostgreSQL runs as another user
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  const files = listed.toString().split('\0').filter(Boolean);
  for (const file of files.filter((path) => existsSync(join(ROOT, path)))) cpSync(join(ROOT, file), join(clone, file));
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  return clone;
}
