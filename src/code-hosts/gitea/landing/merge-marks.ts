import { Logger } from '@nestjs/common';
import { type HostRepository, HostUnavailable, type MergedPullRequest } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { at, listAt, textAt } from '../../reading';
import type { GiteaRefusal } from '../client/gitea-answer';
import type { GiteaApi } from '../client/gitea-api';

/** The host has this time after a merge to notice it. Then the pull request is closed with a comment. */
const PATIENCE_MS = 30_000;

interface Standing {
  readonly state: 'open' | 'done';
  readonly head: string | null;
}

/** After a push of the tested commits: sees to it that the host shows every pull request as merged. Nothing waits for that. */
export class MergeMarks {
  private readonly logger = new Logger(MergeMarks.name);

  constructor(
    private readonly api: GiteaApi,
    private readonly clock: Clock,
  ) {}

  /** Null: it is shown as merged, or never will be. */
  async mark(repository: HostRepository, { number, head, commit }: MergedPullRequest): Promise<GiteaRefusal | null> {
    const before = await this.read(repository, number);
    if (before.state !== 'open') return null;
    // A later push has not merged: the pull request stays open, so that nobody loses it.
    if (before.head !== head) {
      this.note(number, 'it was pushed to meanwhile');
      return null;
    }
    const body = { Do: 'manually-merged', MergeCommitID: commit };
    const answer = await this.api.ask(repository, 'POST', `pulls/${number}/merge`, { body });
    if (answer.type === 'answered') return null;
    return (await this.read(repository, number)).state === 'open' ? answer : null;
  }

  /** Throws HostUnavailable while the host may still notice. After that it is closed with a comment. */
  async ensure(repository: HostRepository, landed: MergedPullRequest): Promise<void> {
    const refusal = await this.mark(repository, landed);
    if (refusal === null) return;
    if (this.clock.now().getTime() - landed.landedAt.getTime() < PATIENCE_MS) {
      const what = `${this.api.host} does not show #${landed.number} as merged yet: ${refusal.message}`;
      throw new HostUnavailable(this.api.host, 'server_error', what);
    }
    this.note(landed.number, refusal.message);
    await this.closeWithWords(repository, landed, refusal);
  }

  /** `head`: null where there is no such pull request any more. */
  private async read(repository: HostRepository, number: number): Promise<Standing> {
    const answer = await this.api.read(repository, `pulls/${number}`);
    const isOpen = textAt(answer?.body, 'state') === 'open' && at(answer?.body, 'merged') !== true;
    return { state: isOpen ? 'open' : 'done', head: textAt(answer?.body, 'head', 'sha') };
  }

  private async closeWithWords(
    repository: HostRepository,
    { number, commit, targetBranch }: MergedPullRequest,
    { message }: GiteaRefusal,
  ): Promise<void> {
    const marker = `<!-- merged as ${commit} -->`;
    const comments = await this.api.read(repository, `issues/${number}/comments`);
    if (!listAt(comments?.body).some((one) => textAt(one, 'body')?.includes(marker) === true)) {
      const words = `Merged into \`${targetBranch}\` as ${commit}. The host did not take the mark that it is merged (${message}), so it is closed.`;
      await this.api.ask(repository, 'POST', `issues/${number}/comments`, { body: { body: `${words}\n\n${marker}` } });
    }
    const answer = await this.api.ask(repository, 'PATCH', `pulls/${number}`, { body: { state: 'closed' } });
    if (answer.type === 'refused') this.note(number, answer.message);
  }

  private note(number: number, why: string): void {
    this.logger.warn(`${this.api.host} does not show that #${number} is merged: ${why}`);
  }
}
