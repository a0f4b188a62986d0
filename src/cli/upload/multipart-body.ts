import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ReportFile } from './find-reports';
import type { UploadMetadata } from './upload-request';

export interface UploadContent {
  readonly metadata: UploadMetadata;
  /**
   * True: the upload id depends on the content of the reports. False: the user chose the id, and may have used it
   * before.
   */
  readonly isIdOfContent: boolean;
  readonly codeOwners: string | undefined;
  readonly files: readonly ReportFile[];
}

/** Streams the body of an upload. `onSent` is called after each file. */
export async function* multipartBody(
  { metadata, codeOwners, files }: UploadContent,
  boundary: string,
  onSent: (file: ReportFile) => void,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(fieldPart(boundary, 'metadata', JSON.stringify(metadata)));
  if (codeOwners !== undefined) yield Buffer.from(fieldPart(boundary, 'codeowners', codeOwners));
  for (const file of files) {
    const head = `form-data; name="report"; filename="${escaped(file.name)}"\r\nContent-Type: application/gzip`;
    yield Buffer.from(`--${boundary}\r\nContent-Disposition: ${head}\r\n\r\n`);
    yield* packed(file);
    yield Buffer.from('\r\n');
    onSent(file);
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

function fieldPart(boundary: string, name: string, text: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
}

async function* packed({ name, path }: ReportFile): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path);
  // Errors of the file stream reach the reader of the gzip stream.
  const bytes = name.endsWith('.gz') ? file : pipeline(file, createGzip(), () => undefined);
  for await (const chunk of bytes) yield chunk as Uint8Array;
}

/** Escapes a file name as HTML forms do. */
function escaped(name: string): string {
  return name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}
