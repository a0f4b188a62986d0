import { type HostRepository, HostUnavailable } from '../../../domain/code-host.port';
import { parseRepositoryPath } from '../../../platform/repository-name';
import type { RepositoryIdentities } from '../../repository-identities';

/** The registered repositories. Null if none are registered, so that any repository is accepted. */
export type Registered = Pick<RepositoryIdentities, 'isSame'> | null;

/**
 * Throws HostUnavailable if another repository now has the name of the registered repository. `path`, `readId`: name
 * and id of the repository that answers; null if the host does not say.
 */
export async function requireSameRepository(
  registered: Registered,
  { id, host, owner, name }: HostRepository,
  path: string | null,
  readId: () => Promise<number | null> | number | null,
): Promise<void> {
  const named = parseRepositoryPath(path ?? '');
  const hostId = registered === null || named === null ? null : await readId();
  if (registered === null || named === null || hostId === null) return;
  if (await registered.isSame(id, { ...named, hostId: String(hostId) })) return;
  const what = `${owner}/${name} is not the registered repository, which was renamed, moved or deleted`;
  const wayOut = 'Register the repository that you mean, or rename the registered repository back';
  throw new HostUnavailable(host, 'another_repository', `${host}: ${what}. ${wayOut}`);
}
