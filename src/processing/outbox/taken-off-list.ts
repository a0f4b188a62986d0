import type { CodeHost, HostRepository } from '../../domain/code-host.port';
import { HostUnavailable } from '../../domain/host-unavailable';
import { configurationPath, type ConfigurationFile, readConfiguration } from './tasks/configuration-file';

interface AskedHead {
  readonly repository: HostRepository;
  readonly targetBranch: string;
  /** The tip of the target. */
  readonly tipCommit: string;
  readonly head: string;
}

/**
 * The required statuses in the configuration file of the target that a pull request at this head removes. Also empty if
 * the host does not answer, because the test of the pull request finds these statuses again.
 */
export async function takenOffList(host: CodeHost, asked: AskedHead, brand: string): Promise<readonly string[]> {
  try {
    return await compared(host, asked, brand);
  } catch (error) {
    if (error instanceof HostUnavailable) return [];
    throw error;
  }
}

async function compared(
  host: CodeHost,
  { repository, targetBranch, tipCommit, head }: AskedHead,
  brand: string,
): Promise<readonly string[]> {
  const change = { base: tipCommit, head, path: configurationPath(brand) };
  // A head that does not change the file may lack a status only because it branched off before the target got that
  // status.
  if ((await host.changesFile?.(repository, change)) !== true) return [];
  const place = { host, repository, targetBranch };
  const [now, then] = await Promise.all([
    readConfiguration(place, tipCommit, brand),
    readConfiguration(place, head, brand),
  ]);
  return then.type === 'readable' ? statusesIn(now).filter((name) => !then.statuses.includes(name)) : [];
}

function statusesIn(file: ConfigurationFile): readonly string[] {
  return file.type === 'readable' ? file.statuses : [];
}
