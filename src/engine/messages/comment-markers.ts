import type { Trigger } from '../pull-request-tasks';
import { code } from '../wording/markdown';
import { withoutReferences } from './references';

/** The marker by which the service finds its one comment on a pull request. */
export function commentMarker(brand: string): string {
  return `<!-- ${brand}-merge-queue -->`;
}

/** True for the service's comment and its answers, and for a comment whose text somebody copied from one of these. */
export function isMarked(brand: string, comment: string): boolean {
  return comment.startsWith(`<!-- ${brand}-`);
}

/** The list item with the checkbox that submits a pull request. */
export function submitCheckbox(brand: string, purpose: string, takesCommands: boolean): string {
  const or = takesCommands ? `, or comment ${code(`/${brand} merge`)},` : '';
  return `- [ ] ${checkboxMarker(brand)}Check this box${or} to ${purpose}.`;
}

/** The checkbox in the service's comment; null if it has none. */
export function checkboxIn(brand: string, comment: string): 'empty' | 'ticked' | null {
  if (!comment.startsWith(commentMarker(brand))) return null;
  const line = comment.split(/\r\n|\r|\n/).find((one) => one.includes(checkboxMarker(brand)));
  const mark = /^\s*[-*+] \[([ xX])\]/.exec(line ?? '')?.[1];
  if (mark === undefined) return null;
  return mark === ' ' ? 'empty' : 'ticked';
}

function checkboxMarker(brand: string): string {
  return `<!-- ${brand}-submit -->`;
}

/**
 * The same id for every delivery of one trigger. Comments at the host contain the id, so its format must never change.
 */
export function triggerId(trigger: Trigger): string {
  switch (trigger.type) {
    case 'label':
      return `label-${trigger.eventId}`;
    case 'checkbox':
      return `box-${trigger.commentId}-${trigger.editedAt}`;
  }
}

/**
 * The marker by which the service finds its answer to one comment or trigger. `askedBy`: the id of the comment or
 * trigger.
 */
export function answerMarker(brand: string, askedBy: string): string {
  return `<!-- ${brand}-answer ${askedBy} -->`;
}

/** The answer to a refused command. `refusal`: the reason, in Markdown. */
export function refusedCommand(brand: string, askedBy: string, refusal: string): string {
  return `${answerMarker(brand, askedBy)}\n\n${withoutReferences(refusal)}`;
}
