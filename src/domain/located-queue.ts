import type { MergeMethod } from './code-host.port';

export interface LocatedRepository {
  readonly id: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

export interface LocatedQueue {
  readonly id: string;
  readonly branch: string;
  readonly mergeMethod: MergeMethod;
  readonly repository: LocatedRepository;
}
