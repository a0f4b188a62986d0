import { gunzipSync } from 'node:zlib';
import { NO_COMMIT } from './git';

export interface PushCommand {
  readonly ref: string;
  /** The new commit of the ref; null if the ref is deleted. */
  readonly after: string | null;
}

const LENGTH_DIGITS = 4;
const COMMAND = /^[0-9a-f]{40} ([0-9a-f]{40}) ([^\0\n]+)/;

/** The commands of a push. In the body of a `git-receive-pack` request they come before the objects. */
export function readPushCommands(body: Buffer, encoding: string | undefined): PushCommand[] {
  const bytes = encoding === 'gzip' ? gunzipSync(body) : body;
  const commands: PushCommand[] = [];
  for (let at = 0; at + LENGTH_DIGITS <= bytes.length;) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + LENGTH_DIGITS), 16);
    // A packet without content ends the list of commands.
    if (!(length > LENGTH_DIGITS)) break;
    const [, after = '', ref] = COMMAND.exec(bytes.toString('utf8', at + LENGTH_DIGITS, at + length)) ?? [];
    if (ref !== undefined) commands.push({ ref, after: after === NO_COMMIT ? null : after });
    at += length;
  }
  return commands;
}
