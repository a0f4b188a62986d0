import type { HostRepository, MergeMethod } from './code-host.port';

export interface LocatedQueue {
  readonly id: string;
  readonly branch: string;
  readonly mergeMethod: MergeMethod;
  readonly repository: HostRepository;
}
