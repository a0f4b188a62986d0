import type { Gesture } from '../../page-orders';

/** The same for the same gesture, however often it is told. */
export function gestureId(gesture: Gesture): string {
  switch (gesture.type) {
    case 'label':
      return `label-${gesture.eventId}`;
    case 'box':
      return `box-${gesture.commentId}-${gesture.editedAt}`;
  }
}

/** Found by it again: the answer to one comment or gesture. */
export function answerMarker(brand: string, askedBy: string): string {
  return `<!-- ${brand}-answer ${askedBy} -->`;
}

/** `refusal`: markdown. */
export function refusedCommand(brand: string, askedBy: string, refusal: string): string {
  return `${answerMarker(brand, askedBy)}\n\n${refusal}`;
}
