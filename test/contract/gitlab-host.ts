import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitHosts } from '../../src/code-hosts/git/git-hosts';
import { GitLabHosts } from '../../src/code-hosts/gitlab/gitlab-hosts';
import { GitLabHostAdapter } from '../../src/code-hosts/gitlab/gitlab-host.adapter';
import type { RepositoryIdentities } from '../../src/code-hosts/repository-identities';
import type { CodeHost, HostRepository } from '../../src/domain/code-host.port';
import { type Clock, SystemClock } from '../../src/platform/clock/clock';
import { Config } from '../../src/platform/config/config';
import { readConfig } from '../../src/platform/config/read-config';
import type { HostWorld } from '../../src/testing/code-host-contract';
import type { Exchange } from '../support/forge/exchange';
import { GitLabDouble } from '../support/gitlab/gitlab-double';
import { openWithPathThatLeadsOut } from './hosts';
import { GITLAB_CONTRACT } from './recorded/gitlab-payloads';

export const GITLAB_WIDGETS: HostRepository = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  host: 'gitlab.example',
  owner: 'acme/backend',
  name: 'widgets',
};

/** No repository is registered, so any repository with the name is accepted. */
const NO_IDENTITIES = null as unknown as RepositoryIdentities;

/** Our adapter, set up for a mock as an operator would do it. Returns the host and a function for cleaning up. */
export function connectToGitLab(
  double: GitLabDouble,
  { clock = new SystemClock(), settings = {} }: { readonly clock?: Clock; readonly settings?: object } = {},
): { readonly host: CodeHost; readonly release: () => void } {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'sluice-gitlab-'));
  const adapter = new GitLabHostAdapter(
    new Config({ ...readConfig({}), dataDirectory }),
    clock,
    new GitLabHosts(),
    new GitHosts(),
    NO_IDENTITIES,
  );
  const all = { gitUrl: double.gitUrl, token: double.createToken(), ...settings };
  const host = adapter.create({ host: GITLAB_WIDGETS.host, kind: 'gitlab', pollSeconds: 20, settings: all });
  return { host, release: () => rmSync(dataDirectory, { recursive: true, force: true }) };
}

export async function gitLabWorld(): Promise<HostWorld> {
  const exchanges = checkedByGitLab();
  const double = await GitLabDouble.start({ onExchange: exchanges.onExchange });
  const project = double.createProject(GITLAB_WIDGETS.owner, 'widgets');
  const { host, release } = connectToGitLab(double, { settings: { closesWhatLanded: true } });
  const { world } = project;
  const author = double.state.accounts.of('ada');
  const branchOf = (number: number): string => `change-${number}`;
  const move = <T>(work: () => T): T => {
    const made = work();
    project.noticeBranches();
    return made;
  };
  const open = (number: number, commit: string): string => {
    move(() => world.setBranch(branchOf(number), commit));
    const facts = { sourceBranch: branchOf(number), targetBranch: 'main', title: `Change ${number}`, description: '' };
    project.open({ iid: number, author, ...facts });
    return commit;
  };
  const request = (number: number) => project.mergeRequests.get(number)!;
  return {
    host,
    repository: GITLAB_WIDGETS,
    openPullRequest: (number, changes, from) =>
      open(
        number,
        world.commitTo(`refs/heads/${branchOf(number)}`, from ?? world.tip('main'), changes, {
          title: `Change ${number}`,
        }),
      ),
    pushToPullRequest: (number, changes) =>
      move(() => world.commitTo(`refs/heads/${branchOf(number)}`, request(number).sha, changes, { title: 'a change' })),
    pushTo: (branch, changes) => move(() => world.pushTo(branch, changes)),
    setBranch: (branch, commit) => move(() => world.setBranch(branch, commit)),
    removeBranch: (branch) => move(() => world.removeBranch(branch)),
    openUnbuildablePullRequest: (number) => open(number, openWithPathThatLeadsOut(world, number)),
    refuseTestingBranches: () => (project.refusal = 'GitLab: You are not allowed to create protected branches.'),
    overtakeNextLanding: (branch, commit) =>
      double.faults.before('git-http/info-refs-receive-pack', () =>
        move(() => (commit === null ? world.removeBranch(branch) : world.setBranch(branch, commit))),
      ),
    turn: {
      changeBase: (number, branch) => project.change(request(number), { targetBranch: branch }),
      convertToDraft: (number) => project.change(request(number), { title: `Draft: ${request(number).title}` }),
      close: (number) => project.change(request(number), { state: 'closed' }),
    },
    branches: () => world.branches().filter((branch) => !/^change-\d+$/.test(branch)),
    files: (commit) => world.files(commit),
    goDown: () => double.faults.goDown(),
    recover: () => double.faults.recover(),
    close: async () => {
      await double.close();
      release();
      exchanges.assertFits();
    },
  };
}

/**
 * Differences in which the description is wrong. In recordings and documented examples, some numbers and booleans are
 * strings, some days are times, and a project has no role.
 */
const WRONGLY_DESCRIBED = new RegExp(
  [
    '/access_level must be string',
    '^answer /permissions/',
    '^answer (/\\d+)?/(id|project_id) must be string',
    '^answer /merge_(pipelines|trains)_enabled must be string',
    '^answer /expires_at must match format',
  ].join('|'),
);

/** Compares all requests of our client and all answers of the mock with GitLab's description. */
export function checkedByGitLab(): {
  readonly onExchange: (exchange: Exchange) => void;
  readonly assertFits: () => void;
} {
  const complaints = new Set<string>();
  return {
    onExchange: (exchange) => {
      const { operation, requestErrors, responseErrors } = GITLAB_CONTRACT.checkExchange(exchange);
      const ofAnswer = exchange.status < 300 ? responseErrors : [];
      for (const error of [...requestErrors, ...ofAnswer.filter((one) => !WRONGLY_DESCRIBED.test(one))]) {
        complaints.add(`${operation ?? `${exchange.method} ${exchange.path}`}: ${error}`);
      }
    },
    assertFits: () => {
      if (complaints.size > 0) throw new Error(`Not in GitLab's contract:\n${[...complaints].join('\n')}`);
    },
  };
}
