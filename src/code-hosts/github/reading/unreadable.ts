import { HostUnavailable } from '../../../domain/code-host.port';

/** An answer without what the queue needs of it. */
export function unreadable(host: string, what: string): HostUnavailable {
  return new HostUnavailable(host, 'server_error', `${host} described ${what} without what is needed of it`);
}
