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

/** A repository of a mock code host, with the actions of people that are possible on every code host. */
export interface ForgePlace {
  openPullRequest(
    files: Readonly<Record<string, string>>,
    options: {
      readonly by: string;
      readonly number?: number;
      /** The parent commit; the tip of `main` if absent. */
      readonly from?: string;
    },
  ): { readonly number: number };
  /** The present head of a pull request. */
  headOf(number: number): string;
  comment(number: number, body: string, by: string): unknown;
  comments(number: number): readonly { readonly body: string }[];
  changePermission(login: string, permission: 'write' | 'read'): void;
  branches(): readonly string[];
  /** The commit of a branch. Throws when the branch is missing. */
  tip(branch: string): string;
  /** Sets a branch to any commit by force, as a person. */
  setBranch(branch: string, commit: string, by: string): void;
  files(commit: string): Readonly<Record<string, string>>;
  /** Reports a status on a commit, as CI. */
  setStatus(sha: string, name: string, state: 'pending' | 'success' | 'failure'): unknown;
}

/** A mock code host with one repository, `acme/widgets`. */
export interface ForgeAtWork {
  readonly requests: RequestLog;
  readonly webhooks: ForgeWebhooks;
  readonly faults: Faults;
  readonly place: ForgePlace;
}

/** The differences between a code host and the others, for a test that all code hosts must pass. */
export interface Forge {
  readonly kind: 'github' | 'gitea' | 'gitlab';
  readonly name: string;
  /**
   * The merge methods of this host for a service with default settings. Tests that need only one method use the first.
   */
  readonly mergeMethods: readonly MergeMethod[];
  /**
   * The request by which a merge happens: an operation that merges one pull request or marks it as merged after a push,
   * or the push that merges a whole run.
   */
  readonly merging: { readonly operation: string; readonly of: 'one' | 'a run' };
  /** Whether webhooks of this host carry the status itself. If not, webhooks only make the service read the status. */
  readonly tellsStatuses: boolean;
  readonly at: (world: World) => ForgeAtWork;
  /** Makes the mock finish at once any work for which a real host may take its time. */
  readonly hurry: (world: World) => void;
  readonly letWrite: (world: World, may: boolean) => void;
  /**
   * Revokes the token and returns a function that restores the token. Null if the service makes its own tokens with a
   * key.
   */
  readonly revokeToken: ((world: World) => () => void) | null;
  /**
   * Starts a mock host for tests that run the service as a process, and returns the host with its configuration in that
   * service.
   */
  readonly start: (now: () => Date) => Promise<StartedForge>;
}

export interface StartedForge extends ForgeAtWork {
  readonly config: Pick<HostConfig, 'host' | 'kind'> & Readonly<Record<string, unknown>>;
  isMerged(number: number): boolean;
  /**
   * With `later`, stops the detection of merges from pushes. With `now`, detects all merges that were missed since.
   * Does nothing for a host without this detection.
   */
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

/** Every kind of code host, in the order in which tables list them. */
export const FORGES: readonly Forge[] = [GITHUB_FORGE, GITEA_FORGE, GITLAB_FORGE];
