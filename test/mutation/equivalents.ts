import type { MutantKey } from './mutant';

/** A mutant that is not wrong: whatever happens, the engine with this change decides the same. */
export interface Equivalent extends MutantKey {
  readonly because: string;
}

/** `file`, `within` and `change` as the report prints them. An entry that no survivor has is an error, too. */
export const EQUIVALENTS: readonly Equivalent[] = [];
