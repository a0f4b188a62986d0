import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError } from '../../../../platform/errors/domain-error';

const MIB = 1024 * 1024;

/** Limits the total decompressed size of all files in an upload. */
export class ByteBudget {
  private taken = 0;

  constructor(private readonly maxMib: number) {}

  /** Errors: PAYLOAD_TOO_LARGE. */
  take(bytes: number): void {
    this.taken += bytes;
    if (this.taken <= this.maxMib * MIB) return;
    throw new DomainError(
      'PAYLOAD_TOO_LARGE',
      `The upload must not be larger than ${this.maxMib} MiB when it is unpacked.`,
    );
  }
}

/** The decompressed bytes of a file. Gzip is recognized by its first two bytes, not by name or content type. */
export async function* decodedBytes(file: AsyncIterable<Buffer>, budget: ByteBudget): AsyncGenerator<Buffer> {
  const chunks = file[Symbol.asyncIterator]();
  const beginning = await beginningOf(chunks);
  const whole = withBeginning(beginning, chunks);
  const isPacked = beginning.length >= 2 && beginning[0] === 0x1f && beginning[1] === 0x8b;
  for await (const chunk of isPacked ? unpacked(whole) : whole) {
    budget.take(chunk.length);
    yield chunk;
  }
}

async function beginningOf(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let beginning: Buffer = Buffer.alloc(0);
  while (beginning.length < 2) {
    const next = await chunks.next();
    if (next.done) break;
    beginning = beginning.length === 0 ? next.value : Buffer.concat([beginning, next.value]);
  }
  return beginning;
}

async function* withBeginning(beginning: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (beginning.length > 0) yield beginning;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* unpacked(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // The callback ignores errors, because the loop below receives them.
  pipeline(Readable.from(bytes, { objectMode: false }), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw new BadGzip(`is damaged gzip: ${(error as Error).message}`);
  }
}

/** A file that begins like gzip but cannot be decompressed. */
export class BadGzip extends Error {
  override readonly name = 'BadGzip';
}
