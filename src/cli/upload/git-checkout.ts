import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RepositoryName } from '../../platform/repository-name';
import { repositoryOfRemote } from './remote-address';

const run = promisify(execFile);

/** The facts that git gives about the folder; empty without a checkout or without git. */
export interface GitCheckout {
  readonly root?: string;
  readonly repository?: RepositoryName;
  readonly commit?: string;
  /** Undefined for a detached HEAD. */
  readonly branch?: string;
}

export async function gitCheckout(folder: string): Promise<GitCheckout> {
  const ask = (...args: readonly string[]): Promise<string | undefined> =>
    run('git', ['-C', folder, ...args]).then(
      ({ stdout }) => stdout.trim() || undefined,
      () => undefined,
    );
  const [root, remote, commit, branch] = await Promise.all([
    ask('rev-parse', '--show-toplevel'),
    ask('remote', 'get-url', 'origin'),
    ask('rev-parse', '--verify', 'HEAD'),
    ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
  ]);
  return { root, repository: remote === undefined ? undefined : repositoryOfRemote(remote), commit, branch };
}
