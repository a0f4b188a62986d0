import { Logger } from '@nestjs/common';
import { HostUnavailable, type LandRequest } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { BoundedMap } from '../../bounded-map';
import { at, listAt, textAt } from '../../reading';
import { repositoryKey } from '../../repository-path';
import type { GiteaApi } from '../client/gitea-api';

/** So long the host is given to notice by itself that it was merged, before it is closed with a comment instead. */
const PATIENCE_MS = 30_000;
const MOST_WAITED_FOR = 1_000;

export interface CommitToMark {
  readonly number: number;
  readonly commit: string;
}

interface Standing {
  readonly state: 'open' | 'done';
  readonly head: string | null;
}

/**
 * After a push of the tested commits: sees to it that the host shows every pull request as merged. What has landed stays landed
 * whatever becomes of this: a landing that is asked for again recognises its commits, and only marks again.
 */
export class MergeMarks {
  private readonly logger = new Logger(MergeMarks.name);
  /** Since when a pull request could not be marked, in milliseconds since 1970. */
  private readonly waiting = new BoundedMap<number>(MOST_WAITED_FOR);

  constructor(
    private readonly api: GiteaApi,
    private readonly clock: Clock,
  ) {}

  /** Throws HostUnavailable while one is not shown as merged and the host may still notice. */
  async mark(request: LandRequest, landed: readonly CommitToMark[]): Promise<void> {
    const heads = new Map(request.pullRequests.map(({ number, head }) => [number, head]));
    for (const one of landed) await this.markOne(request, one, heads.get(one.number) ?? '');
  }

  private async markOne(request: LandRequest, landed: CommitToMark, head: string): Promise<void> {
    const { repository } = request;
    const { number, commit } = landed;
    const before = await this.read(request, number);
    if (before.state !== 'open') return;
    // What was pushed meanwhile has not landed: it stays open, so that nobody loses it.
    if (before.head !== head) return this.note(number, 'it was pushed to meanwhile');
    const body = { Do: 'manually-merged', MergeCommitID: commit };
    const answer = await this.api.ask(repository, 'POST', `pulls/${number}/merge`, { body });
    if (answer.type === 'answered' || (await this.read(request, number)).state !== 'open') return;
    const key = `${repositoryKey(repository)}#${number}`;
    const now = this.clock.now().getTime();
    const since = this.waiting.get(key) ?? now;
    this.waiting.set(key, since);
    if (now - since < PATIENCE_MS) {
      const what = `${this.api.host} does not show #${number} as merged yet: ${answer.message}`;
      throw new HostUnavailable(this.api.host, 'server_error', what);
    }
    this.note(number, answer.message);
    await this.closeWithWords(request, landed);
    this.waiting.delete(key);
  }

  /** `head`: null where there is no such pull request any more. */
  private async read({ repository }: LandRequest, number: number): Promise<Standing> {
    const answer = await this.api.read(repository, `pulls/${number}`);
    const isOpen = textAt(answer?.body, 'state') === 'open' && at(answer?.body, 'merged') !== true;
    return { state: isOpen ? 'open' : 'done', head: textAt(answer?.body, 'head', 'sha') };
  }

  private async closeWithWords({ repository, targetBranch }: LandRequest, landed: CommitToMark): Promise<void> {
    const { number, commit } = landed;
    const marker = `<!-- merged as ${commit} -->`;
    const comments = await this.api.read(repository, `issues/${number}/comments`);
    if (!listAt(comments?.body).some((one) => textAt(one, 'body')?.includes(marker) === true)) {
      const words = `Merged into \`${targetBranch}\` as ${commit}. The repository does not allow to mark pull requests as merged by hand, so this one is closed.`;
      await this.api.ask(repository, 'POST', `issues/${number}/comments`, { body: { body: `${words}\n\n${marker}` } });
    }
    const answer = await this.api.ask(repository, 'PATCH', `pulls/${number}`, { body: { state: 'closed' } });
    if (answer.type === 'refused') this.note(number, answer.message);
  }

  private note(number: number, why: string): void {
    this.logger.warn(`${this.api.host} does not show #${number} as merged, which has landed: ${why}`);
  }
}
