import { GitHosts } from '../../../code-hosts/git/git-hosts';
import { GiteaHostAdapter } from '../../../code-hosts/gitea/gitea-host.adapter';
import { GiteaHosts } from '../../../code-hosts/gitea/gitea-hosts';
import { GitHubHostAdapter } from '../../../code-hosts/github/github-host.adapter';
import { GitHubHosts } from '../../../code-hosts/github/github-hosts';
import type { ToldPushers } from '../../../code-hosts/github/told-pushers';
import { GitLabHostAdapter } from '../../../code-hosts/gitlab/gitlab-host.adapter';
import { GitLabHosts } from '../../../code-hosts/gitlab/gitlab-hosts';
import type { RepositoryIdentities } from '../../../code-hosts/repository-identities';
import type { CodeHost } from '../../../domain/code-host.port';
import { SystemClock } from '../../../platform/clock/clock';
import { Config } from '../../../platform/config/config';
import { readConfig } from '../../../platform/config/read-config';
import type { CertifiedKind } from '../servers/tested-server';

export interface AdapterWanted {
  readonly kind: CertifiedKind;
  /** The name of the code host, as in `SLUICE_HOSTS`. */
  readonly host: string;
  readonly gitUrl: string;
  readonly apiUrl: string;
  readonly token: string;
  /** An empty folder, so that the adapter remembers nothing. */
  readonly dataDirectory: string;
}

/** Makes the tested adapter; specs make a broken adapter. */
export type MakeAdapter = (wanted: AdapterWanted) => CodeHost;

/** Repositories are not registered: the adapter accepts any repository with the right name. */
const NO_IDENTITIES = null as unknown as RepositoryIdentities;
/** No webhook reports the pushers of commits. */
const NO_TOLD_PUSHERS = null as unknown as ToldPushers;
const POLL_SECONDS = 20;

/** The service's own adapter and its dependencies, without the service. */
export const realAdapter: MakeAdapter = ({ kind, host, gitUrl, apiUrl, token, dataDirectory }) => {
  const config = new Config({ ...readConfig({}), dataDirectory });
  const clock = new SystemClock();
  const entry = { host, kind, pollSeconds: POLL_SECONDS, settings: { gitUrl, apiUrl, token } };
  switch (kind) {
    case 'gitea':
      return new GiteaHostAdapter(config, clock, new GiteaHosts(), new GitHosts(), NO_IDENTITIES).create(entry);
    case 'gitlab': {
      const settings = { ...entry.settings, closesWhatLanded: true };
      const adapter = new GitLabHostAdapter(config, clock, new GitLabHosts(), new GitHosts(), NO_IDENTITIES);
      return adapter.create({ ...entry, settings });
    }
    case 'github': {
      const parts = [config, clock, new GitHubHosts(), new GitHosts(), NO_IDENTITIES, NO_TOLD_PUSHERS] as const;
      return new GitHubHostAdapter(...parts).create(entry);
    }
  }
};
