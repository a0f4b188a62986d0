import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const NO_DIFFERENCE = 0;
const DIFFERENCE = 2;

/** SQL that changes one schema into the other, by the options of `prisma migrate diff`. Undefined: no difference. */
export function prismaDiff(url: string, from: readonly string[], to: readonly string[]): string | undefined {
  const cli = require.resolve('prisma/build/index.js');
  const args = ['migrate', 'diff', ...from, ...to, '--script', '--exit-code'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url },
    encoding: 'utf8',
  });
  if (status === NO_DIFFERENCE) return undefined;
  if (status === DIFFERENCE) return stdout;
  throw new Error(`prisma migrate diff failed:\n${stdout}${stderr}`);
}
