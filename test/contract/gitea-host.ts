import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitHosts } from '../../src/code-hosts/git/git-hosts';
import { GiteaHostAdapter } from '../../src/code-hosts/gitea/gitea-host.adapter';
import { GiteaHosts } from '../../src/code-hosts/gitea/gitea-hosts';
import type { RepositoryIdentities } from '../../src/code-hosts/repository-identities';
import type { CodeHost, HostRepository } from '../../src/domain/code-host.port';
import { type Clock, SystemClock } from '../../src/platform/clock/clock';
import { Config } from '../../src/platform/config/config';
import { readConfig } from '../../src/platform/config/read-config';
import type { HostWorld } from '../../src/testing/code-host-contract';
import type { Exchange } from '../support/forge/exchange';
import { GiteaDouble } from '../support/gitea/gitea-double';
import type { GiteaRepositoryDouble } from '../support/gitea/repository-double';
import { GitHubContract } from './github/contract';
import { openWithPathThatLeadsOut } from './hosts';

/** Gitea's description has the form of GitHub's, so the same checker reads it. */
export const GITEA_CONTRACT = GitHubContract.load(join(__dirname, '..', 'fixtures', 'gitea', 'contract.json'));

export const GITEA_WIDGETS: HostRepository = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  host: 'gitea.example',
  owner: 'acme',
  name: 'widgets',
};

/** No repository is registered, so any repository with the name is accepted. */
const NO_IDENTITIES = null as unknown as RepositoryIdentities;

/** Our adapter, set up for a mock as an operator would do it. Returns the host and a function for cleaning up. */
export function connectToGitea(
  double: GiteaDouble,
  {
    clock = new SystemClock(),
    settings = {},
  }: { readonly clock?: Clock; readonly settings?: Readonly<Record<string, unknown>> } = {},
): { readonly host: CodeHost; readonly release: () => void } {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sluice-gitea-'));
  const config = new Config({ ...readConfig({}), dataDirectory });
  const adapter = new GiteaHostAdapter(config, clock, new GiteaHosts(), new GitHosts(), NO_IDENTITIES);
  const { gitUrl } = double;
  const all = { gitUrl, token: double.createToken(), ...settings };
  const host = adapter.create({ host: GITEA_WIDGETS.host, kind: 'gitea', pollSeconds: 20, settings: all });
  return { host, release: () => rmSync(dataDirectory, { recursive: true, force: true }) };
}

/**
 * A Gitea with one repository, and our adapter connected to it. `close` throws if an exchange does not match the
 * description.
 */
export async function startGitea({ isForgejo = false }: { readonly isForgejo?: boolean } = {}) {
  const exchanges = checkedByGitea();
  const double = await GiteaDouble.start({ onExchange: exchanges.onExchange, isForgejo });
  const place = double.createRepository('acme', 'widgets');
  const { host, release } = connectToGitea(double);
  const close = async (): Promise<void> => {
    await double.close();
    release();
    exchanges.assertFits();
  };
  return { double, place, host, close };
}

export async function giteaWorld(): Promise<HostWorld> {
  const exchanges = checkedByGitea();
  const double = await GiteaDouble.start({ onExchange: exchanges.onExchange });
  const repository = double.createRepository('acme', 'widgets');
  const { host, release } = connectToGitea(double);
  return {
    ...worldOf(double, repository, host),
    close: async () => {
      await double.close();
      release();
      exchanges.assertFits();
    },
  };
}

function worldOf(double: GiteaDouble, repository: GiteaRepositoryDouble, host: CodeHost): Omit<HostWorld, 'close'> {
  return {
    host,
    repository: GITEA_WIDGETS,
    openPullRequest: (number, changes, from) => repository.openPullRequest(changes, { number, from }).head.sha,
    pushToPullRequest: (number, changes) => repository.push(number, changes),
    pushTo: (branch, changes) => repository.pushToBranch(branch, changes),
    setBranch: (branch, commit) => repository.setBranch(branch, commit),
    removeBranch: (branch) => repository.removeBranch(branch),
    openUnbuildablePullRequest: (number) => {
      const { head } = repository.openPullRequest({}, { number });
      const commit = openWithPathThatLeadsOut(repository.record.world, number);
      repository.setBranch(head.branch ?? '', commit);
      return commit;
    },
    refuseTestingBranches: () => {
      repository.protect('sluice-merge/**', { pushers: [] });
      return 'Not allowed to push to protected branch sluice-merge/';
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

/** Compares all requests of our client and all answers of the mock with Gitea's own description. */
export function checkedByGitea(): {
  readonly onExchange: (exchange: Exchange) => void;
  readonly assertFits: () => void;
} {
  const complaints = new Set<string>();
  return {
    onExchange: (exchange) => {
      const { operation, requestErrors, responseErrors } = GITEA_CONTRACT.checkExchange(exchange);
      // Only successful answers are compared: some refusals have no body, and redirects are not described.
      const ofAnswer = exchange.status < 300 ? responseErrors : [];
      for (const error of [...requestErrors, ...ofAnswer]) complaints.add(`${operation ?? exchange.path}: ${error}`);
    },
    assertFits: () => {
      if (complaints.size > 0) throw new Error(`Not in Gitea's contract:\n${[...complaints].join('\n')}`);
    },
  };
}

/** At a code host, the heads of pull requests are branches as well. */
function isOfPullRequest({ record }: GiteaRepositoryDouble, branch: string): boolean {
  return [...record.pulls.values()].some(({ head }) => head.branch === branch);
}
