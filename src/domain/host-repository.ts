/**
 * A repository by its name in the API, with `host` in lower case. `id` is the id of the service's own row, for adapters
 * that store rows.
 */
export interface HostRepository {
  readonly id: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}

/**
 * Whether letter case distinguishes repositories of a host. `ignored`: `Acme/Widgets` and `acme/widgets` are one
 * repository.
 */
export type LetterCase = 'significant' | 'ignored';
