import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';

const BUFFER_CHARACTERS = 256 * 1024;

/** A file of lines that is written once and then read any number of times. */
export class SpoolFile {
  private text = '';
  private written = false;

  private constructor(
    private readonly path: string,
    private readonly handle: FileHandle,
  ) {}

  static async create(path: string): Promise<SpoolFile> {
    return new SpoolFile(path, await open(path, 'wx', 0o600));
  }

  /** `line`: without line end. Only collects; call `flush` regularly. */
  add(line: string): void {
    this.text += `${line}\n`;
  }

  get isEmpty(): boolean {
    return !this.written && this.text === '';
  }

  /** Writes what was added, if it is enough for a write. */
  async flush(): Promise<void> {
    if (this.text.length >= BUFFER_CHARACTERS) await this.write();
  }

  /** Writes the rest. Nothing may be added afterwards. */
  finish(): Promise<void> {
    return this.write();
  }

  read(): ReadStream {
    return createReadStream(this.path, { encoding: 'utf8', highWaterMark: BUFFER_CHARACTERS });
  }

  async remove(): Promise<void> {
    await this.handle.close();
    await rm(this.path, { force: true });
  }

  private async write(): Promise<void> {
    if (this.text === '') return;
    const { text } = this;
    this.text = '';
    this.written = true;
    await this.handle.appendFile(text, 'utf8');
  }
}
