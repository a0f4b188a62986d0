import {
  type AboveMergedQuestion,
  type BranchRemoval,
  type BranchTip,
  type BuildRequest,
  type BundleRequest,
  type CandidateOutcome,
  type ChangedFilesQuestion,
  type CodeHost,
  type CommitsQuestion,
  type FileChangeQuestion,
  type FileVersionsRequest,
  type HostCapabilities,
  type HostRepository,
  type HostState,
  type LandOutcome,
  type LandRequest,
  type PullRequestObservation,
  type PushOutcome,
  type PushRequest,
  type TooLarge,
  type UnmetDemand,
  type WrittenBundle,
} from '../../domain/code-host.port';
import type { Finding, HostExamination } from '../../domain/host-examination';
import { examineAboveMerged } from '../examine-above-merged';
import type { Clock } from '../../platform/clock/clock';
import { lookAboveMerged } from './above-merged';
import { buildCandidate } from './candidate';
import { listChangedFiles } from './changed-files';
import { changesFile, readFileAt, readFileVersions } from './files';
import type { GitClone, GitClones } from './git-clone';
import { branchesWith, commitsBeyond, firstBeyond, headsContainedIn } from './history';
import type { Committer } from './committer';
import { examineGit, examineReachability } from './git-examination';
import { isRepository, listRefs, type GitRemotes } from './git-remote';
import { land, type LandingObjection } from './landing';
import { mergesCleanly } from './merges-cleanly';
import { branchRef, isCommitId, isGitBranchName, isPullRequestNumber, pullRequestRef } from './names';
import { type CommitDescription, describeCommit, type GitObject, treeOf } from './objects';
import { writeBundle } from './proof/write-bundle';
import { readState } from './read-state';
import { pushTestingBranch, removeTestingBranch } from './testing-branches';
import type { TestingChecks } from './testing-checks';

export interface GitHostParts {
  readonly clock: Clock;
  readonly remotes: Pick<GitRemotes, 'require' | 'find'>;
  readonly clones: GitClones;
  readonly checks: TestingChecks;
  readonly committer: Committer;
  readonly pollSeconds: number;
}

/** A host with plain git repositories. A pull request is a ref, whose commit provides title, body and author. */
export class GitHost implements CodeHost {
  readonly capabilities: HostCapabilities = { findsByBranch: false, hasOwnStatuses: false };
  readonly pollSeconds: number;
  readonly checksProblem?: (configurationFile: string) => string | null;

  constructor(private readonly parts: GitHostParts) {
    this.pollSeconds = parts.pollSeconds;
    if (parts.checks.problemOf) this.checksProblem = parts.checks.problemOf;
  }

  /** With every merge method, one push lands the whole run. */
  landsWholeRuns(): boolean {
    return true;
  }

  whyChecksDoNotRun(): string | null {
    return this.parts.checks.whyOff();
  }

  async findRepository(repository: HostRepository): Promise<'found' | 'unknown'> {
    const remote = await this.parts.remotes.find(repository);
    return remote !== null && (await isRepository(remote)) ? 'found' : 'unknown';
  }

  async readBranch(repository: HostRepository, branch: string): Promise<BranchTip | null> {
    const { branches } = await this.readState(repository, [branch], []);
    return branches.get(branch) ?? null;
  }

  async readPullRequest(
    repository: HostRepository,
    number: number,
    targetBranch: string,
  ): Promise<PullRequestObservation | null> {
    if (!isPullRequestNumber(number)) return null;
    const observedAt = this.parts.clock.now();
    const clone = await this.clone(repository);
    const ref = pullRequestRef(clone.remote, number);
    const target = isGitBranchName(targetBranch) ? [branchRef(targetBranch)] : [];
    const refs = await listRefs(clone.remote, [...target, ref]);
    const head = refs.get(ref);
    if (head === undefined) return null;
    const tip = refs.get(branchRef(targetBranch));
    const wanted = [{ commit: head }, ...(tip === undefined ? [] : [{ commit: tip, branch: targetBranch }])];
    const [commit, tipCommit] = await clone.commits(wanted);
    if (commit == null) return null;
    const { author, title, body } = await this.describe(clone, commit, tipCommit ?? null);
    const isMerged = tipCommit != null && (await clone.isAncestor(head, tipCommit.id));
    const fits = tipCommit != null && (isMerged || (await mergesCleanly(clone, tipCommit, head)));
    return {
      number,
      title,
      body,
      author: author.name,
      authorEmail: author.email,
      url: null,
      head,
      headBranch: null,
      base: null,
      state: isMerged ? 'merged' : 'open',
      draft: false,
      mergeability: fits ? 'mergeable' : 'not_mergeable',
      observedAt,
    };
  }

  async examineAboveMerged(
    repository: HostRepository,
    question: AboveMergedQuestion,
  ): Promise<'merges' | 'conflicts' | 'unknown' | UnmetDemand> {
    return examineAboveMerged(await lookAboveMerged(await this.clone(repository), question), question, false);
  }

  findPullRequestsByBranch(): Promise<'unsupported'> {
    return Promise.resolve('unsupported');
  }

  async readTree(repository: HostRepository, commit: string): Promise<string | null> {
    if (!isCommitId(commit)) return null;
    const clone = await this.clone(repository);
    const [found] = await clone.commits([{ commit }]);
    return found == null ? null : treeOf(found);
  }

  async containsCommit(repository: HostRepository, commit: string, ancestor: string): Promise<boolean> {
    if (!isCommitId(commit) || !isCommitId(ancestor)) return false;
    const clone = await this.clone(repository);
    const found = await clone.commits([{ commit }, { commit: ancestor }]);
    return found.every((one) => one != null) && clone.isAncestor(ancestor, commit);
  }

  async findContained(
    repository: HostRepository,
    commit: string,
    heads: readonly string[],
  ): Promise<readonly string[]> {
    return headsContainedIn(await this.clone(repository), commit, heads);
  }

  async findBranchesWith(
    repository: HostRepository,
    commit: string,
    branches: readonly string[],
  ): Promise<readonly string[]> {
    return branchesWith(await this.clone(repository), commit, branches);
  }

  async readFile(
    repository: HostRepository,
    commit: string,
    path: string,
    maxBytes = Infinity,
  ): Promise<string | null | TooLarge> {
    return readFileAt(await this.clone(repository), commit, path, maxBytes);
  }

  async readFileVersions(request: FileVersionsRequest): Promise<readonly (string | null)[]> {
    return readFileVersions(await this.clone(request.repository), request);
  }

  async changesFile(repository: HostRepository, question: FileChangeQuestion): Promise<boolean> {
    return changesFile(await this.clone(repository), question);
  }

  async listChangedFiles(
    repository: HostRepository,
    question: ChangedFilesQuestion,
  ): Promise<readonly string[] | 'too_many' | 'unknown'> {
    return listChangedFiles(await this.clone(repository), question);
  }

  async listCommits(repository: HostRepository, question: CommitsQuestion): Promise<readonly string[]> {
    return commitsBeyond(await this.clone(repository), question);
  }

  async writeBundle(request: BundleRequest): Promise<WrittenBundle> {
    return writeBundle(await this.clone(request.repository), request);
  }

  readProtectedStatuses(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** A plain repository stores no test results: CI reports them to the service. */
  readStatuses(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  async readState(
    repository: HostRepository,
    branches: readonly string[],
    numbers: readonly number[],
  ): Promise<HostState> {
    return readState(await this.clone(repository), branches, numbers);
  }

  async buildCandidate(request: BuildRequest): Promise<CandidateOutcome> {
    return buildCandidate(await this.clone(request.repository), request, this.parts.committer);
  }

  async pushTestingBranch(request: PushRequest): Promise<PushOutcome> {
    const clone = await this.clone(request.repository);
    await this.parts.checks.prepare(clone, request);
    return pushTestingBranch(clone, request);
  }

  async removeTestingBranch(repository: HostRepository, branch: string, testRunId: string): Promise<BranchRemoval> {
    await this.parts.checks.cancel(testRunId);
    return removeTestingBranch(await this.clone(repository), branch);
  }

  async land(request: LandRequest, objection?: LandingObjection): Promise<LandOutcome> {
    return land(await this.clone(request.repository), request, this.parts.committer, objection);
  }

  async examine({ host, repositories }: HostExamination): Promise<readonly Finding[]> {
    const reached = repositories.map((one) =>
      examineReachability(one, (repository) => this.findRepository(repository)),
    );
    return Promise.all([examineGit(host, this.parts.clones.git), ...reached]);
  }

  /** The title and text of a pull request, from its first commit, because a ref has no title of its own. */
  private async describe(clone: GitClone, head: GitObject, tip: GitObject | null): Promise<CommitDescription> {
    const first = tip === null ? head.id : await firstBeyond(clone, tip.id, head.id);
    const [commit] = first === head.id ? [head] : await clone.commits([{ commit: first }]);
    return describeCommit(commit ?? head);
  }

  /** The clone of a repository. Other hosts use it for operations that `CodeHost` lacks. */
  async clone(repository: HostRepository): Promise<GitClone> {
    const remote = await this.parts.remotes.require(repository);
    return this.parts.clones.of(remote, repository);
  }
}
