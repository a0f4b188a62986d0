/** The pull request or branch of a result; empty: not known. */
export function numberOrBranch({
  branch,
  pr_number,
}: {
  readonly branch: string;
  readonly pr_number: number | null;
}): string {
  return pr_number === null ? branch : `#${pr_number}`;
}
