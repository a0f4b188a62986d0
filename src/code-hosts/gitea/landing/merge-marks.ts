import { Logger } from '@nestjs/common';
import {
  type HostRepository,
  HostUnavailable,
  type MergedPullRequest,
  type PullRequestConversation,
} from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { branchRef } from '../../git/names';
import { push } from '../../git/push';
import type { OneByOne } from '../../git/merge-one-by-one';
import { at, textAt } from '../../reading';
import type { HostRefusal } from '../../forge/client/host-answer';
import { BoundedMap } from '../../bounded-map';
import { repositoryKey } from '../../repository-path';
import type { GiteaApi } from '../client/gitea-api';
import { giteaHeadBranchOf } from '../reading/pull-request';

/** The time that the host has after a merge to notice it. After that, the pull request is closed with a comment. */
const PATIENCE_MS = 30_000;
const MOST_REMEMBERED = 1_000;

interface Standing {
  readonly state: 'open' | 'done';
  /** The pull request as the server shows it. */
  readonly body: unknown;
}

interface Marked {
  readonly commit: string;
  /** The pull request before the mark. */
  readonly body: unknown;
}

interface HeadBranchParts extends Pick<OneByOne, 'byGit'> {
  readonly api: GiteaApi;
}

export interface MergeMarksParts extends HeadBranchParts {
  readonly clock: Clock;
  readonly conversation: Pick<PullRequestConversation, 'reply'>;
}

/**
 * Marks pull requests as merged at the host after a push of the tested commits. No other step of the landing waits for
 * this.
 */
export class MergeMarks {
  private readonly logger = new Logger(MergeMarks.name);
  /** The marks that the host has accepted, so that it need not be asked again. */
  private readonly marked = new BoundedMap<Marked>(MOST_REMEMBERED);

  constructor(private readonly parts: MergeMarksParts) {}

  private get api(): GiteaApi {
    return this.parts.api;
  }

  /** Marks a pull request as merged. Returns null if the host shows the pull request as merged, or never will. */
  async mark(repository: HostRepository, landed: MergedPullRequest): Promise<HostRefusal | null> {
    return this.markUnlessShown(repository, landed, await this.read(repository, landed.number));
  }

  private async markUnlessShown(
    repository: HostRepository,
    { number, head, commit }: MergedPullRequest,
    before: Standing,
  ): Promise<HostRefusal | null> {
    if (before.state !== 'open') return null;
    // Commits that were pushed later have not merged, so the pull request stays open. Otherwise these commits would be
    // lost.
    if (textAt(before.body, 'head', 'sha') !== head) {
      this.note(number, 'it got a new push meanwhile');
      return null;
    }
    const body = { Do: 'manually-merged', MergeCommitID: commit };
    const answer = await this.api.ask(repository, 'POST', `pulls/${number}/merge`, { body });
    if (answer.type === 'answered') {
      this.marked.set(keyOf(repository, number), { commit, body: before.body });
      return null;
    }
    return (await this.read(repository, number)).state === 'open' ? answer : null;
  }

  /**
   * Ensures that the host shows a pull request as merged. Throws HostUnavailable while the host may still notice the
   * merge. After that, the pull request is closed with a comment. If the repository is set up so, the branch of a
   * merged pull request is removed.
   */
  async ensure(repository: HostRepository, landed: MergedPullRequest): Promise<void> {
    const before = this.markedAs(repository, landed);
    if (before !== null) return this.tidyUp(repository, landed, before);
    const seen = await this.read(repository, landed.number);
    const refusal = await this.markUnlessShown(repository, landed, seen);
    const taken = this.markedAs(repository, landed) ?? (at(seen.body, 'merged') === true ? seen.body : null);
    if (taken !== null) return this.tidyUp(repository, landed, taken);
    if (refusal === null) return;
    if (this.isPatient(landed)) {
      const what = `${this.api.host} does not show #${landed.number} as merged yet: ${refusal.message}`;
      throw new HostUnavailable(this.api.host, 'server_error', what);
    }
    this.note(landed.number, refusal.message);
    await this.closeWithWords(repository, landed, refusal);
  }

  /**
   * The pull request as it was before this process marked it as merged by that commit; null if this process did not
   * mark it.
   */
  private markedAs(repository: HostRepository, { number, commit }: MergedPullRequest): unknown {
    const marked = this.marked.get(keyOf(repository, number));
    return marked?.commit === commit ? marked.body : null;
  }

  private async read(repository: HostRepository, number: number): Promise<Standing> {
    const answer = await this.api.read(repository, `pulls/${number}`);
    const isOpen = textAt(answer?.body, 'state') === 'open' && at(answer?.body, 'merged') !== true;
    return { state: isOpen ? 'open' : 'done', body: answer?.body };
  }

  /**
   * Removes the branch and writes the comment. The comment follows the removal, so a branch that cannot be removed must
   * not delay it for long.
   */
  private async tidyUp(repository: HostRepository, landed: MergedPullRequest, body: unknown): Promise<void> {
    const branch = branchToRemove(body);
    if (branch === null) return;
    try {
      await removeHeadBranch(this.parts, repository, { branch, head: landed.head });
    } catch (error) {
      if (!(error instanceof HostUnavailable) || this.isPatient(landed)) throw error;
      this.logger.warn(`${this.api.host} keeps the branch ${branch} of #${landed.number}: ${error.message}`);
    }
  }

  private isPatient({ landedAt }: MergedPullRequest): boolean {
    return this.parts.clock.now().getTime() - landedAt.getTime() < PATIENCE_MS;
  }

  private async closeWithWords(
    repository: HostRepository,
    { number, commit, targetBranch }: MergedPullRequest,
    { message }: HostRefusal,
  ): Promise<void> {
    const marker = `<!-- merged as ${commit} -->`;
    const words = `Merged into \`${targetBranch}\` as ${commit}. The code host did not mark the pull request as merged (${message}), so it was closed.`;
    await this.parts.conversation.reply(repository, number, marker, `${words}\n\n${marker}`);
    const answer = await this.api.ask(repository, 'PATCH', `pulls/${number}`, { body: { state: 'closed' } });
    if (answer.type === 'refused') this.note(number, answer.message);
  }

  private note(number: number, why: string): void {
    this.logger.warn(`${this.api.host} does not show that #${number} is merged: ${why}`);
  }
}

function keyOf(repository: HostRepository, number: number): string {
  return `${repositoryKey(repository)} ${number}`;
}

/**
 * The branch of a merged pull request, if the repository is set up to remove it; null if it stays. The server removes
 * the branch after its own merge, but not after a mark. `body`: the pull request as the server shows it.
 */
function branchToRemove(body: unknown): string | null {
  if (at(body, 'base', 'repo', 'default_delete_branch_after_merge') !== true) return null;
  const branch = giteaHeadBranchOf(body);
  const kept = [textAt(body, 'base', 'ref'), textAt(body, 'base', 'repo', 'default_branch')];
  // The owner of a fork decides about its branches.
  return branch === null || branch.includes(':') || kept.includes(branch) ? null : branch;
}

/** Removes the branch, unless somebody has pushed to it, or it is the head or base of an open pull request. */
async function removeHeadBranch(
  { api, byGit }: HeadBranchParts,
  repository: HostRepository,
  { branch, head }: { readonly branch: string; readonly head: string },
): Promise<void> {
  const open = await api.readAll(repository, 'pulls', { state: 'open' });
  const isUsed = (open ?? []).some((one) => giteaHeadBranchOf(one) === branch || textAt(one, 'base', 'ref') === branch);
  if (isUsed) return;
  const removal = { ref: branchRef(branch), commit: null, expected: head };
  // If a rule protects the branch, it stays.
  await byGit({ repository }, async (git) => push(await git.clone(repository), [removal]));
}
