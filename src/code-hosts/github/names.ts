import type { RepositoryPath } from './client/routes';

/** Whether GitHub could have it; nothing that could leave a folder or begin an option. Some companies' logins hold a `_`. */
export function isGitHubName({ owner, name }: RepositoryPath): boolean {
  const isOwner = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(owner);
  return isOwner && /^[A-Za-z0-9._-]{1,100}$/.test(name) && !/^\.{1,2}$|\.git$/.test(name);
}
