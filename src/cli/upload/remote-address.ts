import type { RepositoryArgument } from '../arguments';

/** The repository that the address of a git remote names: an URL, or as ssh writes it, `git@host:owner/name.git`. */
export function repositoryOfRemote(address: string): RepositoryArgument | undefined {
  const [, sshHost, sshPath] = /^(?:[^@/:]+@)?([^/:@]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  if (sshHost !== undefined && sshPath !== undefined) return repositoryAt(sshHost, sshPath);
  if (!/^(https?|ssh|git):\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(address);
  return repositoryAt(/^http/.test(protocol) ? host : hostname, pathname);
}

export function repositoryAt(host: string, path: string): RepositoryArgument | undefined {
  const parts = path
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((part) => part !== '');
  const name = parts.pop();
  if (host === '' || name === undefined || parts.length === 0) return undefined;
  return { host: host.toLowerCase(), owner: parts.join('/'), name };
}
