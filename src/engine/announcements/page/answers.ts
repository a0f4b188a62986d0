import { code } from './text';

/** Found by it again: the answer to one comment. */
export function answerMarker(brand: string, commentId: string): string {
  return `<!-- ${brand}-answer ${commentId} -->`;
}

/** `refusal`: markdown. */
export function refusedCommand(brand: string, commentId: string, author: string | null, refusal: string): string {
  const to = author === null ? '' : `To the command of ${code(author)}: `;
  return `${answerMarker(brand, commentId)}\n\n${to}${refusal}`;
}
