import type { MergeMethod } from '../../src/domain/code-host.port';
import type { HostConfig } from '../../src/platform/config/config';
import type { Faults } from './forge/faults';
import type { RequestLog } from './forge/request-log';
import type { ForgeWebhooks } from './forge/webhooks';
import { GiteaDouble } from './gitea/gitea-double';
import { GitHubDouble } from './github/github-double';
import { GitLabDouble, PUSH_TO_DEFAULT_BRANCH } from './gitlab/gitlab-double';
import { GitLabPlace } from './gitlab/place';
import type { World } from './world';

/** A repository of a forge for tests, as far as people do the same in all of them. */
export interface ForgePlace {
  openPullRequest(
    files: Readonly<Record<string, string>>,
    options: {
      readonly by: string;
      readonly number?: number;
      /** The commit that it is built on; absent: the tip of `main`. */
      readonly from?: string;
    },
  ): { readonly number: number };
  /** The present head of a pull request. */
  headOf(number: number): string;
  comment(number: number, body: string, by: string): unknown;
  comments(number: number): readonly { readonly body: string }[];
  changePermission(login: string, permission: 'write' | 'read'): void;
  branches(): readonly string[];
  /** Throws when there is no such branch. */
  tip(branch: string): string;
  /** Somebody points a branch anywhere, by force. */
  setBranch(branch: string, commit: string, by: string): void;
  files(commit: string): Readonly<Record<string, string>>;
  /** What CI says of a commit. */
  setStatus(sha: string, name: string, state: 'pending' | 'success' | 'failure'): unknown;
}

/** A forge for tests with one repository, `acme/widgets`. */
export interface ForgeAtWork {
  readonly requests: RequestLog;
  readonly webhooks: ForgeWebhooks;
  readonly faults: Faults;
  readonly place: ForgePlace;
}

/** What differs between forges for a test that all of them must pass. One row each. */
export interface Forge {
  readonly kind: 'github' | 'gitea' | 'gitlab';
  readonly name: string;
  /** Those that it takes from a service with its usual settings; the first is the one that is tested where one is enough. */
  readonly mergeMethods: readonly MergeMethod[];
  /** The operation that merges: one pull request, or marks it as merged once it was pushed; or a push that is all. */
  readonly merging: { readonly operation: string; readonly of: 'one' | 'a run' };
  /** What its webhooks tell of a status is the status; false: it is only a reason to read it. */
  readonly tellsStatuses: boolean;
  readonly at: (world: World) => ForgeAtWork;
  /** Has it know at once what a forge may take its time to find out. */
  readonly hurry: (world: World) => void;
  readonly letWrite: (world: World, may: boolean) => void;
  /** Takes the token away, and answers how to give it back; null: the service makes its tokens itself, with a key. */
  readonly revokeToken: ((world: World) => () => void) | null;
  /** One of its own, for tests that run the service as a process; and what such a service is told of it. */
  readonly start: (now: () => Date) => Promise<StartedForge>;
}

export interface StartedForge extends ForgeAtWork {
  readonly config: Pick<HostConfig, 'host' | 'kind'> & Readonly<Record<string, unknown>>;
  isMerged(number: number): boolean;
  /** Of a forge that is told of merges by pushes: it notices none from now on, or those that it has not noticed so far. */
  notice(merges: 'later' | 'now'): void;
  inBare(...args: readonly string[]): string;
  close(): Promise<void>;
}

export const GITHUB_FORGE: Forge = {
  mergeMethods: ['squash', 'merge_commit', 'rebase'],
  ...{ kind: 'github', name: 'GitHub', merging: { operation: 'pulls/merge-async', of: 'one' }, tellsStatuses: true },
  at: ({ github: { requests, webhooks, faults }, githubRepository: place }) => ({ requests, webhooks, faults, place }),
  hurry: ({ githubRepository }) => githubRepository.answerUnknown(0),
  letWrite: ({ github }, may) => github.setPermission('acme', 'contents', may ? 'write' : 'read'),
  revokeToken: null,
  start: async (now) => {
    const double = await GitHubDouble.start({ now });
    const place = double.createRepository('acme', 'widgets');
    place.answerUnknown(0);
    const { requests, webhooks, faults, apiUrl, gitUrl, appId, privateKey } = double;
    return {
      ...{ requests, webhooks, faults, place },
      config: { host: 'github.example', kind: 'github', pollSeconds: 1, apiUrl, gitUrl, appId, privateKey },
      isMerged: (number) => place.pullRequest(number).merged !== null,
      notice: () => undefined,
      inBare: (...args) => place.record.world.inBare(...args),
      close: () => double.close(),
    };
  },
};

export const GITEA_FORGE: Forge = {
  mergeMethods: ['squash', 'merge_commit', 'rebase'],
  ...{ kind: 'gitea', name: 'Gitea', merging: { operation: 'repoMergePullRequest', of: 'one' }, tellsStatuses: true },
  at: ({ gitea: { requests, webhooks, faults }, giteaRepository: place }) => ({ requests, webhooks, faults, place }),
  hurry: () => undefined,
  letWrite: ({ gitea, giteaRepository }, may) => giteaRepository.changePermission(gitea.bot, may ? 'write' : 'read'),
  revokeToken: ({ gitea }) => gitea.revokeTokens(),
  start: async (now) => {
    const double = await GiteaDouble.start({ now });
    const place = double.createRepository('acme', 'widgets');
    const { requests, webhooks, faults, gitUrl } = double;
    return {
      ...{ requests, webhooks, faults, place },
      config: { host: 'gitea.example', kind: 'gitea', pollSeconds: 1, gitUrl, token: double.createToken() },
      isMerged: (number) => place.isMerged(number),
      notice: () => undefined,
      inBare: (...args) => place.record.world.inBare(...args),
      close: () => double.close(),
    };
  },
};

export const GITLAB_FORGE: Forge = {
  mergeMethods: ['merge_commit'],
  ...{
    kind: 'gitlab',
    name: 'GitLab',
    merging: { operation: PUSH_TO_DEFAULT_BRANCH, of: 'a run' },
    tellsStatuses: false,
  },
  at: ({ gitlab: { requests, webhooks, faults }, gitlabProject }) => ({
    ...{ requests, webhooks, faults, place: new GitLabPlace(gitlabProject) },
  }),
  hurry: () => undefined,
  letWrite: ({ gitlab, gitlabProject }, may) => void gitlabProject.members.set(gitlab.bot, may ? 40 : 20),
  revokeToken: ({ gitlab }) => gitlab.revokeTokens(),
  start: async (now) => {
    const double = await GitLabDouble.start({ now });
    const project = double.createProject('acme', 'widgets');
    const { requests, webhooks, faults, gitUrl } = double;
    return {
      ...{ requests, webhooks, faults, place: new GitLabPlace(project) },
      config: { host: 'gitlab.example', kind: 'gitlab', pollSeconds: 1, gitUrl, token: double.createToken() },
      isMerged: (number) => project.mergeRequests.get(number)?.state === 'merged',
      notice: (merges) => project.noticeMerges(merges),
      inBare: (...args) => project.world.inBare(...args),
      close: () => double.close(),
    };
  },
};

/** Every kind of forge, in the order in which tables show them. */
export const FORGES: readonly Forge[] = [GITHUB_FORGE, GITEA_FORGE, GITLAB_FORGE];
