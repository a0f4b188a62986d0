import { join } from 'node:path';
import type { Clock } from '../../platform/clock/clock';
import { childEnvironment, networkEnvironment } from '../../platform/config/child-environment';
import type { Config } from '../../platform/config/config';
import { committerOf } from '../git/committer';
import { GitClones } from '../git/git-clone';
import { GitCommand } from '../git/git-command';
import { writeGitConfig } from '../git/git-config-file';
import { GitHost } from '../git/git-host';
import type { GitHosts } from '../git/git-hosts';
import { KeyExaminer } from '../git/signing/examine-key';
import type { ByGit } from './dialect-host';
import { HttpRemotes, type HttpRemotesParts } from './http-remotes';
import type { TokenSettings } from './token-settings';

/** No checks of this service, because the code host runs the checks itself after the push of a branch. */
const NO_CHECKS = { prepare: () => Promise.resolve(), cancel: () => Promise.resolve(), whyOff: () => null };

/** Services for adapters of code hosts that have an API. */
export interface AdapterServices {
  readonly config: Config;
  readonly clock: Clock;
  readonly gitHosts: GitHosts;
}

export type HostGitSettings = Pick<TokenSettings, 'host' | 'gitUrl' | 'committer' | 'pollSeconds'>;

/** Git access to the repositories of a code host. */
export interface HostGit {
  readonly byGit: ByGit;
  readonly git: GitCommand;
  readonly keys: KeyExaminer;
}

/** The clones are stored in the data directory, and repacked together with the clones of all other hosts. */
export function hostGitOf(
  { config: { dataDirectory, brand }, clock, gitHosts }: AdapterServices,
  { host, gitUrl, committer: person, pollSeconds }: HostGitSettings,
  remote: Pick<HttpRemotesParts, 'user' | 'access' | 'isName' | 'followsRedirects' | 'pullRequestRefs'>,
): HostGit {
  const git = new GitCommand({ ...childEnvironment(), ...networkEnvironment() }, writeGitConfig(dataDirectory));
  const remotes = new HttpRemotes({ host, gitUrl, git, ...remote });
  const clones = new GitClones(join(dataDirectory, 'clones'), git, 'row');
  gitHosts.addClones(clones);
  const committer = committerOf(person, brand);
  const plain = new GitHost({ clock, remotes, clones, checks: NO_CHECKS, committer, pollSeconds });
  const byGit: ByGit = ({ repository }, work) => remotes.using(repository, () => work(plain));
  return { byGit, git, keys: new KeyExaminer(committer, remotes) };
}
