/** Found by it again: the one comment of the service under a pull request. */
export function commentMarker(brand: string): string {
  return `<!-- ${brand}-merge-queue -->`;
}

/** Whether the service wrote that, or somebody who copied it: its comment, or an answer. */
export function isMarked(brand: string, comment: string): boolean {
  return comment.startsWith(`<!-- ${brand}-`);
}
