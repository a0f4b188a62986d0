import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../../platform/config/child-environment';
import { StartRefused } from '../../platform/errors/start-refused';
import { checkVersion, OLDEST_GIT } from './git-examination';

/** Throws StartRefused when git is missing or too old. */
export async function requireGit(): Promise<void> {
  const { verdict, what } = checkVersion('git', await readVersion());
  if (verdict === 'problem') throw refusal(`${what}.`);
}

async function readVersion(): Promise<string> {
  try {
    return (await promisify(execFile)('git', ['--version'], { env: childEnvironment() })).stdout;
  } catch (error) {
    const { code } = error as { readonly code?: string | number };
    throw refusal(code === 'ENOENT' ? 'git is missing: PATH does not find it.' : `git does not start (${code}).`);
  }
}

function refusal(why: string): StartRefused {
  const { PATH = '' } = childEnvironment();
  return new StartRefused(
    `${why}\nInstall git ${OLDEST_GIT} or newer, or put its folder first in PATH, which is ${JSON.stringify(PATH)}.`,
  );
}
