/** A repository as the interface names it; `host` in lower case. `id` is the service's own row, for adapters that keep rows. */
export interface HostRepository {
  readonly id: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
}
