/** The configured code hosts of one kind. */
export class ConfiguredHosts<Configured extends { readonly host: string }> {
  protected readonly hosts = new Map<string, Configured>();

  add(configured: Configured): void {
    this.hosts.set(configured.host, configured);
  }

  get(host: string): Configured | null {
    return this.hosts.get(host.toLowerCase()) ?? null;
  }
}
