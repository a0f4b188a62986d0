import { userInfo } from 'node:os';
import type { Caller } from '../requests/caller';

/** Who changed something, and how. */
export interface AuditSource {
  /** The name of a token, a login at a code host, or a user of the service's machine. */
  readonly actor: string;
  /** `page`: with a button of a page. `service`: it did so by itself. */
  readonly channel: 'api' | 'page' | 'mcp' | 'command_line' | 'service';
  /** Of the client; null: on the service's machine. */
  readonly address: string | null;
}

export function sourceOf({ tokenName, channel = 'api', address }: Caller): AuditSource {
  return { actor: tokenName, channel, address };
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
