import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const EXAMPLE = join(ROOT, 'examples', 'acme-extension');
const NOT_COPIED = ['node_modules', 'dist'];

/**
 * Installs the example in a folder outside the tree. The example depends on the package that npm packs from this
 * project.
 */
export function installExampleOutside(): { readonly folder: string; readonly home: string } {
  const home = mkdtempSync(join(tmpdir(), 'sluice-extension-'));
  chmodSync(home, 0o755); // if root runs the test, PostgreSQL runs as another user, who must reach the data in this folder
  const folder = join(home, 'acme-extension');
  const [packed] = Object.values(
    JSON.parse(run(ROOT, `npm pack --json --silent --pack-destination "${home}"`)) as Record<
      string,
      { filename: string }
    >,
  );
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !NOT_COPIED.includes(basename(path)) });
  run(folder, `npm install --save-dev --prefer-offline --no-audit --no-fund "${join(home, packed!.filename)}"`);
  return { folder, home };
}

/** Runs the command. Returns its output, and throws with the whole output when the command fails. */
export function run(folder: string, command: string, environment: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync(command, {
    shell: true,
    cwd: folder,
    encoding: 'utf8',
    env: environment,
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
