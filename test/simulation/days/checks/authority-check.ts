import type { QueuedHead } from '../../../../src/engine/model';
import { nameOf } from '../../../support/engine-host';

type PullRequestHead = Pick<QueuedHead, 'number' | 'head'>;

/** Checks that a head lands only if it was submitted, or if a person with write access pushed it. */
export class AuthorityCheck {
  readonly problems: string[] = [];
  private readonly authorised = new Set<string>();

  submitted(at: PullRequestHead): void {
    this.authorised.add(nameOf(at));
  }

  pushedByWriter(at: PullRequestHead): void {
    this.authorised.add(nameOf(at));
  }

  landed(changes: readonly PullRequestHead[]): void {
    for (const name of changes.map(nameOf))
      if (!this.authorised.has(name)) this.problems.push(`landed ${name}, which nobody asked for who may`);
  }
}
