import type { HostRepository } from '../../../domain/code-host.port';
import { keyOf } from '../client/routes';

const MOST_KNOWN = 2_000;

/** Which pull requests this process opened for testing branches, so that none has to be looked for to close it. */
export class OpenedPullRequests {
  private readonly known = new Map<string, number>();

  remember(repository: HostRepository, branch: string, number: number): void {
    this.known.set(nameOf(repository, branch), number);
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KNOWN && oldest !== undefined) this.known.delete(oldest);
  }

  /** Null: another process opened it, or nobody did. It is not known any more afterwards. */
  take(repository: HostRepository, branch: string): number | null {
    const name = nameOf(repository, branch);
    const number = this.known.get(name) ?? null;
    this.known.delete(name);
    return number;
  }
}

function nameOf(repository: HostRepository, branch: string): string {
  return `${keyOf(repository)} ${branch}`;
}
