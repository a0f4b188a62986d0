import { DomainError } from '../../platform/errors/domain-error';

/** The configured code hosts of one kind. */
export class ConfiguredHosts<Configured extends { readonly host: string }> {
  protected readonly hosts = new Map<string, Configured>();

  add(configured: Configured): void {
    this.hosts.set(configured.host, configured);
  }

  get(host: string): Configured | null {
    return this.hosts.get(host.toLowerCase()) ?? null;
  }

  /** The configured host with that name, which sent a delivery. Throws DomainError if there is none. */
  requireSender(host: string): Configured {
    const sender = this.get(host);
    if (sender === null) throw new DomainError('NOT_FOUND', 'No code host of this kind and name is configured.');
    return sender;
  }
}
