import type { Trigger } from '../pull-request-tasks';

/** The same for every delivery of the same trigger. Stands in comments of the service at the host: it must never change. */
export function triggerId(trigger: Trigger): string {
  switch (trigger.type) {
    case 'label':
      return `label-${trigger.eventId}`;
    case 'checkbox':
      return `box-${trigger.commentId}-${trigger.editedAt}`;
  }
}

/** Found by it again: the answer to one comment or trigger. */
export function answerMarker(brand: string, askedBy: string): string {
  return `<!-- ${brand}-answer ${askedBy} -->`;
}

/** `refusal`: markdown. */
export function refusedCommand(brand: string, askedBy: string, refusal: string): string {
  return `${answerMarker(brand, askedBy)}\n\n${refusal}`;
}
