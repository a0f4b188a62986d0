import type { ReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const BUFFER_CHARACTERS = 256 * 1024;

/** A position in a file of lines; everything added after it can be dropped. */
interface SpoolMark {
  readonly writtenBytes: number;
  /** The number of characters that are not written yet. */
  readonly characters: number;
  readonly bytes: number;
}

/**
 * A file of lines that is written once and then read any number of times. It has no name: the file vanishes with the
 * process that holds it open, however the process ends.
 */
export class SpoolFile {
  private text = '';
  private writtenBytes = 0;

  private constructor(private readonly handle: FileHandle) {}

  /** `path`: the name of the file, which is removed right after the file was created. */
  static async create(path: string): Promise<SpoolFile> {
    const handle = await open(path, 'ax+', 0o600);
    try {
      await rm(path, { force: true });
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new SpoolFile(handle);
  }

  /** `line`: without line end. Collects the line in memory; call `flush` regularly. */
  add(line: string): void {
    this.text += `${line}\n`;
  }

  get isEmpty(): boolean {
    return this.writtenBytes === 0 && this.text === '';
  }

  /** Writes the added lines, if they are enough for a write. */
  async flush(): Promise<void> {
    if (this.text.length >= BUFFER_CHARACTERS) await this.write();
  }

  mark(): SpoolMark {
    const { text, writtenBytes } = this;
    return { writtenBytes, characters: text.length, bytes: writtenBytes + Buffer.byteLength(text) };
  }

  async dropAfter(mark: SpoolMark): Promise<void> {
    if (this.writtenBytes === mark.writtenBytes) {
      this.text = this.text.slice(0, mark.characters);
      return;
    }
    this.text = '';
    await this.handle.truncate(mark.bytes);
    this.writtenBytes = mark.bytes;
  }

  /** Writes the collected lines. After this call, no line may be added. */
  finish(): Promise<void> {
    return this.write();
  }

  read(): ReadStream {
    return this.handle.createReadStream({
      ...{ start: 0, autoClose: false },
      ...{ encoding: 'utf8', highWaterMark: BUFFER_CHARACTERS },
    });
  }

  remove(): Promise<void> {
    return this.handle.close();
  }

  private async write(): Promise<void> {
    if (this.text === '') return;
    const bytes = Buffer.from(this.text);
    this.text = '';
    this.writtenBytes += bytes.length;
    await this.handle.appendFile(bytes);
  }
}

const NAMED_SPOOL = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(?:tests|results|failures|messages)$/;
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * Removes files that killed processes of earlier versions left, whose spool files had names. A file that was written
 * within the hour may belong to another running process. Returns the number of removed files; 0 if the folder does not
 * exist.
 */
export async function removeAbandonedSpools(folder: string, now: Date): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let removed = 0;
  for (const path of names.filter((name) => NAMED_SPOOL.test(name)).map((name) => join(folder, name))) {
    const file = await stat(path).catch(() => null);
    if (file === null || file.mtimeMs > now.getTime() - ABANDONED_AFTER_MS) continue;
    await rm(path, { force: true });
    removed++;
  }
  return removed;
}
