/** Found by it again: the answer to one comment. */
export function answerMarker(brand: string, commentId: string): string {
  return `<!-- ${brand}-answer ${commentId} -->`;
}

/** `refusal`: markdown. */
export function refusedCommand(brand: string, commentId: string, refusal: string): string {
  return `${answerMarker(brand, commentId)}\n\n${refusal}`;
}
