const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const COMMIT = /^[0-9a-f]{40}$/;
// What `git check-ref-format` refuses anywhere in a name; the rest is per component.
const FORBIDDEN = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$/u;

/** Owner or name of a repository: nothing that could leave the folder, begin an option or mean something to a shell. */
export function isRepositoryName(name: string): boolean {
  return PLAIN_NAME.test(name) && !name.endsWith('.lock');
}

export function isCommitId(text: string): boolean {
  return COMMIT.test(text);
}

/** Whether `refs/heads/<name>` is a name that git takes, by the rules of `git check-ref-format --branch`. */
export function isGitBranchName(name: string): boolean {
  if (name === '' || name === '@' || name === 'HEAD' || name.startsWith('-') || FORBIDDEN.test(name)) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

export function branchRef(branch: string): string {
  return `refs/heads/${branch}`;
}

export function pullRequestRef(number: number): string {
  return `refs/pull/${number}/head`;
}
