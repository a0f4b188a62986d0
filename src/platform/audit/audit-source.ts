import { userInfo } from 'node:os';
import type { Caller } from '../requests/caller';

/** The person or program that changed something, and the channel of the change. */
export interface AuditSource {
  /** The name of a token, a login at a code host, or a user of the service's machine. */
  readonly actor: string;
  /** `page`: a button of a page. `service`: an automatic change. */
  readonly channel: 'api' | 'page' | 'mcp' | 'command_line' | 'service';
  /** The client's address; null: the change was made on the service's machine. */
  readonly address: string | null;
}

export function sourceOf({ tokenName, channel = 'api', address }: Caller): AuditSource {
  return { actor: tokenName, channel, address };
}

/** The user who runs this process, for commands on the service's machine. */
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
