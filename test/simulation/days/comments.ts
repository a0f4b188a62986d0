import { couldSeeHead } from '../../../src/domain/pull-request-facts';
import { type Instant, MINUTE } from '../../../src/engine/vocabulary';
import type { Heads } from './heads';
import type { QueueAtWork } from './queue-at-work';
import type { Surroundings } from './surroundings';
import { count } from './tally';

/** After this time the service has fetched the comments for which it received no event. */
const FOUND_AFTER = 60 * MINUTE;

interface Comment {
  readonly number: number;
  readonly writtenAt: Instant;
  isAnswered: boolean;
}

/**
 * Comments in which people with write access request a merge. Each comment is about the head that its author saw, no
 * matter when the service receives the comment.
 */
export class Comments {
  constructor(
    private readonly around: Surroundings,
    private readonly heads: Heads,
    /** The queue for the base branch of the pull request; null when that branch has no queue. */
    private readonly queueFor: (number: number) => QueueAtWork | null,
  ) {}

  write(number: number): void {
    const { time, authority, pullRequests } = this.around;
    const { head, state } = pullRequests.get(number)!;
    if (state !== 'open') return;
    authority.submitted({ number, head });
    const comment: Comment = { number, writtenAt: time.now, isAnswered: false };
    this.queueFor(number)?.hostEvents.commented(number, () => this.obey(comment));
    time.in(FOUND_AFTER, () => this.find(comment));
  }

  private find(comment: Comment): void {
    const { time, life } = this.around;
    if (life.isDown) return life.whenUp(() => this.find(comment));
    const events = this.queueFor(comment.number)?.hostEvents;
    if (events?.isHostDown) return time.at(events.outageEnds, () => this.find(comment));
    this.obey(comment);
  }

  private obey(comment: Comment): void {
    const { number, writtenAt } = comment;
    const queue = this.queueFor(number);
    if (comment.isAnswered || queue === null) return;
    comment.isAnswered = true;
    const { now } = this.around.time;
    const facts = queue.host.facts(number, now);
    const since = this.heads.noticed(number, facts.head, now);
    if (!couldSeeHead(writtenAt, since, this.heads.recordOf(number)))
      return count(this.around.tally.refusals, 'another head than the comment means');
    const hasTargets = queue.store.targets.has(number, facts.head);
    const newEntryId = `entry-${number}`;
    const { contains: commits } = queue.host.pullRequest(number);
    queue.tell({ type: 'pullRequestSubmitted', newEntryId, facts, commits, hasTargets, via: 'user', actor: 'ann' });
  }
}
