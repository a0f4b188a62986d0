import { parseRepositoryName, type RepositoryName } from '../../platform/repository-name';

/** Reads the repository from the address of a git remote: a URL, or ssh's form `git@host:owner/name.git`. */
export function repositoryOfRemote(address: string): RepositoryName | undefined {
  const [, sshHost, sshPath] = /^(?:[^@/:]+@)?([^/:@]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  if (sshHost !== undefined && sshPath !== undefined) return repositoryAt(sshHost, sshPath);
  if (!/^(https?|ssh|git):\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, host, hostname, pathname } = new URL(address);
  return repositoryAt(/^http/.test(protocol) ? host : hostname, pathname);
}

export function repositoryAt(host: string, path: string): RepositoryName | undefined {
  const plain = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  return parseRepositoryName(`${host.toLowerCase()}/${plain}`) ?? undefined;
}
