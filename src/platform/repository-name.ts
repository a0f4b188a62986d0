const HOST = /^[a-z0-9][a-z0-9.-]{0,252}(:\d{1,5})?$/i;
const OWNER = /^[A-Za-z0-9_][A-Za-z0-9._-]*(\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/;
/** A name may begin with a dot, because hosts have repositories such as `.github`. */
const NAME = /^\.?[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** A repository as people write it: `host/owner/name`. An owner may be a path, such as `group/subgroup`. */
export interface RepositoryName {
  /** Compared in lower case. */
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

export function isHostName(text: string): boolean {
  return HOST.test(text);
}

/** One or more names, joined by `/`. */
export function isOwnerName(text: string): boolean {
  return OWNER.test(text);
}

export function isRepositoryName(text: string): boolean {
  return NAME.test(text);
}

/** Splits `host/owner/name` at the first and at the last slash. Null for any other form. */
export function parseRepositoryName(text: string): RepositoryName | null {
  const slash = text.indexOf('/');
  const host = text.slice(0, Math.max(slash, 0));
  const path = parseRepositoryPath(text.slice(slash + 1));
  return path !== null && isHostName(host) ? { host, ...path } : null;
}

/** Splits `owner/name` at the last slash. Null for any other form. */
export function parseRepositoryPath(text: string): Pick<RepositoryName, 'owner' | 'name'> | null {
  const slash = text.lastIndexOf('/');
  const owner = text.slice(0, Math.max(slash, 0));
  const name = text.slice(slash + 1);
  return isOwnerName(owner) && isRepositoryName(name) ? { owner, name } : null;
}

/** The key of a repository within its host. The name as people wrote it is stored separately. */
export function lookupNameOf({ host, owner, name }: RepositoryName, hostsIgnoringCase: readonly string[]): string {
  const asGiven = `${owner}/${name}`;
  return hostsIgnoringCase.includes(host.toLowerCase()) ? asGiven.toLowerCase() : asGiven;
}
