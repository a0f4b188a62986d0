import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Type } from '@nestjs/common';
import { checkHosts } from './check-hosts';
import { CodeHostsModule } from './code-hosts.module';
import { checkVersion, OLDEST_GIT } from './git/git-examination';
import { kindsIn } from './host-kinds';
import { requireCertificates } from '../platform/config/certificate-files';
import { childEnvironment } from '../platform/config/child-environment';
import type { Config } from '../platform/config/config';
import { StartRefused } from '../platform/errors/start-refused';

/**
 * Checks settings of hosts, key files, certificates and git, before anything is written to a database. Throws
 * StartRefused. For hosts of extensions, only what is known without creating their adapters is checked.
 */
export async function checkStart(config: Config, extensions: readonly Type[] = []): Promise<void> {
  requireCertificates(config);
  const mayHaveOthers = config.extensions.length > 0 || extensions.length > 0;
  const kinds = checkHosts(config, kindsIn([CodeHostsModule, ...extensions]), { mayHaveOthers });
  if (kinds.some(({ usesGit }) => usesGit)) await requireGit();
}

/** Throws StartRefused when git is missing or too old. */
async function requireGit(): Promise<void> {
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
