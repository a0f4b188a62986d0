import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { SpoolFile } from './spool-file';

/** `change` gets any part of the text, never in the middle of a character. */
export async function copyLines(
  client: PoolClient,
  target: string,
  file: SpoolFile,
  change: (lines: string) => string = (lines) => lines,
): Promise<void> {
  const changed = new Transform({
    decodeStrings: false,
    transform: (chunk: string, _encoding, done) => done(null, change(chunk)),
  });
  await pipeline(file.read(), changed, client.query(copyFrom(`COPY ${target} FROM STDIN`)));
}
