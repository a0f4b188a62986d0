import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitHosts } from '../../src/code-hosts/git/git-hosts';
import { GitHubHostAdapter } from '../../src/code-hosts/github/github-host.adapter';
import { GitHubHosts } from '../../src/code-hosts/github/github-hosts';
import type { RepositoryIdentities } from '../../src/code-hosts/repository-identities';
import type { ToldPushers } from '../../src/code-hosts/github/told-pushers';
import { type Clock, SystemClock } from '../../src/platform/clock/clock';
import { Config } from '../../src/platform/config/config';
import { readConfig } from '../../src/platform/config/read-config';
import type { CodeHost, HostRepository } from '../../src/domain/code-host.port';
import type { HostWorld } from '../../src/testing/code-host-contract';
import { GitHubDouble } from '../support/github/github-double';
import type { Exchange } from '../support/forge/exchange';
import type { RepositoryDouble } from '../support/github/repository-double';
import { GitHubContract } from './github/contract';
import { openWithPathThatLeadsOut } from './hosts';

const CONTRACT = GitHubContract.load();

export const GITHUB_HOST = 'github.example';

export const GITHUB_WIDGETS: HostRepository = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  host: GITHUB_HOST,
  owner: 'acme',
  name: 'widgets',
};

/** No repository is registered, so any repository with the name is accepted. */
const NO_IDENTITIES = null as unknown as RepositoryIdentities;

const NO_TOLD_PUSHERS = null as unknown as ToldPushers;

export interface GitHubSettingsOfTest {
  readonly access?: 'app' | { readonly token: string } | { readonly appId: number; readonly privateKey: string };
  readonly clock?: Clock;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface Connection {
  readonly host: CodeHost;
  readonly hosts: GitHubHosts;
  readonly dataDirectory: string;
  readonly release: () => void;
}

/**
 * Our adapter, set up for a mock GitHub as an operator would do it. Returns the host and a function for cleaning up.
 */
export function connectTo(
  double: GitHubDouble,
  { access = 'app', clock = new SystemClock(), settings = {} }: GitHubSettingsOfTest = {},
): Connection {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sluice-github-'));
  const config = new Config({ ...readConfig({}), dataDirectory });
  const hosts = new GitHubHosts();
  const adapter = new GitHubHostAdapter(config, clock, hosts, new GitHosts(), NO_IDENTITIES, NO_TOLD_PUSHERS);
  const credentials = access === 'app' ? { appId: double.appId, privateKey: double.privateKey } : access;
  const all = { apiUrl: double.apiUrl, gitUrl: double.gitUrl, ...credentials, ...settings };
  const host = adapter.create({ host: GITHUB_HOST, kind: 'github', pollSeconds: 60, settings: all });
  return { host, hosts, dataDirectory, release: () => rmSync(dataDirectory, { recursive: true, force: true }) };
}

export async function gitHubWorld(): Promise<HostWorld> {
  const exchanges = checkedByContract();
  const double = await GitHubDouble.start({ onExchange: exchanges.onExchange });
  const repository = double.createRepository('acme', 'widgets');
  repository.answerUnknown(0);
  const { host, release } = connectTo(double);
  const world = worldOf(double, repository, host);
  return {
    ...world,
    close: async () => {
      await double.close();
      release();
      exchanges.assertFits();
    },
  };
}

function worldOf(double: GitHubDouble, repository: RepositoryDouble, host: CodeHost): Omit<HostWorld, 'close'> {
  return {
    host,
    repository: GITHUB_WIDGETS,
    openPullRequest: (number, changes, from) => repository.openPullRequest(changes, { number, from }).head.sha,
    pushToPullRequest: (number, changes) => repository.push(number, changes),
    pushTo: (branch, changes) => repository.pushToBranch(branch, changes),
    setBranch: (branch, commit) => repository.setBranch(branch, commit),
    removeBranch: (branch) => repository.removeBranch(branch),
    openUnbuildablePullRequest: (number) => {
      const { head } = repository.openPullRequest({}, { number });
      const commit = openWithPathThatLeadsOut(repository.record.world, number);
      repository.setBranch(head.ref, commit);
      return commit;
    },
    refuseTestingBranches: () => {
      repository.protect('sluice-merge/**', { kind: 'ruleset', restrictsCreation: true });
      return 'Cannot create ref due to creations being restricted';
    },
    overtakeNextLanding: (branch, commit) =>
      double.faults.before('git-http/info-refs-receive-pack', () => {
        if (commit === null) repository.removeBranch(branch);
        else repository.setBranch(branch, commit);
      }),
    turn: {
      changeBase: (number, branch) => repository.changeBase(number, branch),
      convertToDraft: (number) => repository.convertToDraft(number),
      close: (number) => repository.closePullRequest(number),
    },
    branches: () => repository.branches().filter((branch) => !isOfPullRequest(repository, branch)),
    files: (commit) => repository.files(commit),
    goDown: () => double.faults.goDown(),
    recover: () => double.faults.recover(),
  };
}

/** Compares all requests of our client with GitHub's own description. */
export function checkedByContract(): {
  readonly onExchange: (exchange: Exchange) => void;
  readonly assertFits: () => void;
} {
  const complaints: string[] = [];
  return {
    onExchange: (exchange) => {
      const { operation, requestErrors } = CONTRACT.checkExchange(exchange);
      complaints.push(...requestErrors.map((error) => `${operation ?? exchange.path}: ${error}`));
    },
    assertFits: () => {
      if (complaints.length > 0) throw new Error(`Not in GitHub's contract:\n${complaints.join('\n')}`);
    },
  };
}

/** At a code host, the heads of pull requests are branches as well. */
function isOfPullRequest({ record }: RepositoryDouble, branch: string): boolean {
  return [...record.pulls.values()].some(({ head }) => head.ref === branch);
}
