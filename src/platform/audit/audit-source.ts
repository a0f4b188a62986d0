import { userInfo } from 'node:os';
import type { Caller } from '../auth/caller';

/** Who changed something, and how. */
export interface AuditSource {
  /** The name of a token, a login at a code host, or a user of the service's machine. */
  readonly actor: string;
  /** `service`: it did so by itself. */
  readonly channel: 'api' | 'command_line' | 'service';
  /** Of the client; null: on the service's machine. */
  readonly address: string | null;
}

export function sourceOf({ tokenName, address }: Caller): AuditSource {
  return { actor: tokenName, channel: 'api', address };
}

/** Who runs this process: for commands on the service's machine. */
export function operator(): AuditSource {
  return { actor: userName(), channel: 'command_line', address: null };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
