/** A repository as the interface names it; `host` in lower case. `id` is the service's own row, for adapters that keep rows. */
export interface HostRepository {
  readonly id: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

/** Whether letter case tells the repositories of a host apart; `ignored`: `Acme/Widgets` and `acme/widgets` are one. */
export type LetterCase = 'significant' | 'ignored';
