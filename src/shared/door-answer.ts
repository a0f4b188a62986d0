import type { Refusal } from '../engine/decision';
import { DomainError } from '../platform/errors/domain-error';
import { noSuchQueue } from './queue-locator';

/** What the one door of a queue answers. */
export type DoorAnswer =
  { readonly type: 'decided' } | { readonly type: 'refused'; readonly refusal: Refusal } | { readonly type: 'gone' };

/** Turns the door's "no" into the interface's error. */
export function requireDecided(answer: DoorAnswer, branch: string): void {
  switch (answer.type) {
    case 'decided':
      return;
    case 'refused':
      throw new DomainError(answer.refusal.code, answer.refusal.message);
    case 'gone':
      throw noSuchQueue(branch);
  }
}
