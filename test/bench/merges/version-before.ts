import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../../..');
/** The last commit before decisions sent their statements without Prisma's engine. */
const COMMIT = 'bd7328a5e027625fc4dd878419ad48aeda59ca7b';
const MOST_BYTES = 256 * 1024 * 1024;
/** Files of this version that drive the service in the earlier version. */
const DRIVER: readonly string[] = [
  'merges/service.ts',
  'merges/messages.ts',
  'load/places.ts',
  'load/remote-host.ts',
  'load/calls.ts',
];
/** Paths of modules that the driver imports: in this version, and in the earlier version. */
const MOVED: readonly (readonly [now: string, then: string])[] = [
  ['src/modules/', 'src/'],
  ['src/processing/decisions/', 'src/queue-processing/'],
  ['src/platform/migrations/migrations', 'src/platform/database/migrations'],
];

/**
 * Checks the earlier version out into the folder, with its own Prisma client and the packages of this version. Throws
 * when the version cannot be checked out on this machine.
 */
export function checkOutVersionBefore(folder: string): void {
  mkdirSync(folder);
  say('The version before is not in the history of git here', () => {
    const archive = execFileSync('git', ['archive', COMMIT, 'src', 'prisma', 'prisma.config.ts', 'package.json'], {
      cwd: ROOT,
      maxBuffer: MOST_BYTES,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const file of DRIVER) copyDriver(file, folder);
  say('The Prisma client of the version before cannot be generated', () =>
    execFileSync(process.execPath, [join(ROOT, 'node_modules/prisma/build/index.js'), 'generate', '--no-hints'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

function copyDriver(file: string, folder: string): void {
  const text = readFileSync(join(__dirname, '..', file), 'utf8');
  const target = join(folder, 'test/bench', file);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(
    target,
    MOVED.reduce((moved, [now, then]) => moved.replaceAll(now, then), text),
  );
}

function say(sentence: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new Error(`${sentence}: ${(error as Error).message}`, { cause: error });
  }
}
