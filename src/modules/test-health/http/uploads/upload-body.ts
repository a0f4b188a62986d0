import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { DomainError } from '../../../../platform/errors/domain-error';
import { invalidField } from '../refusals';

/** The limit for the parts `metadata` and CODEOWNERS. GitHub reads CODEOWNERS files of up to 3 MB. */
const FIELD_LIMIT_BYTES = 3 * 1024 * 1024;

/** Receives the parts of an upload in the order in which they arrive. */
export interface UploadParts {
  onField(name: string, value: string): Promise<void>;
  /** The rest of the file is dropped if it is not read. */
  onFile(fileName: string, bytes: AsyncIterable<Buffer>): Promise<void>;
}

/** Content types of a report as the body. The format is recognized by the content. */
const REPORT_TYPE =
  /^(?:application|text)\/(?:(?:[\w.-]+\+)?(?:xml|json)|x-ndjson|jsonl|x-tap|(?:x-)?gzip|octet-stream|plain)\s*(?:;|$)/i;

/** The kind of body: a form of several parts, or a single report. Errors: UNSUPPORTED_MEDIA_TYPE. */
export function requireReadable({ headers }: IncomingMessage): 'parts' | 'report' {
  const type = headers['content-type'] ?? '';
  if (/^multipart\/form-data\s*(?:;|$)/i.test(type)) return 'parts';
  if (REPORT_TYPE.test(type)) return 'report';
  throw new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be multipart/form-data, or one report as application/xml, application/json, text/plain or application/gzip.',
  );
}

/**
 * Passes each part after `parts` has handled the previous one, and stores no part of the body. Rejects with the error
 * that `parts` threw. After this error, the rest of the body is read and dropped, because otherwise the client would
 * not see the answer. Errors: UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED for a body that is broken or ends early.
 */
export async function readUpload(request: IncomingMessage, parts: UploadParts): Promise<void> {
  if (requireReadable(request) === 'parts') return readMultipart(request, parts);
  return parts.onFile('the body', bytesOf(request));
}

function readMultipart(request: IncomingMessage, parts: UploadParts): Promise<void> {
  return new Promise((resolve, reject) => {
    const form = openForm(request);
    let turn = Promise.resolve();
    const fail = (error: unknown) => {
      request.unpipe(form);
      request.resume();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const next = (work: () => Promise<void>) => {
      turn = turn.then(work);
      turn.catch(fail);
    };
    form.on('field', (name, value, { valueTruncated }) => {
      next(() => (valueTruncated ? Promise.reject(tooLong(name)) : parts.onField(name, value)));
    });
    form.on('file', (name, file, { filename }) => {
      // The reader of the file handles the file's errors. Errors before the reader starts must not end the process.
      file.on('error', () => undefined);
      next(() => readFile(file, (bytes) => parts.onFile(filename || name, bytes)));
    });
    form.on('error', () => fail(broken()));
    form.on('close', () => void turn.then(resolve, () => undefined));
    request.once('aborted', () => fail(endedEarly()));
    request.pipe(form);
  });
}

/** The next part arrives when this file has been read to its end. */
async function readFile(file: Readable, read: (bytes: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
  const bytes = file.iterator({ destroyOnReturn: false }) as AsyncGenerator<Buffer>;
  await read(bytes);
  await bytes.return(undefined);
  if (file.readableEnded || file.destroyed) return;
  await new Promise<void>((resolve) => file.once('close', resolve).once('end', resolve).resume());
}

function openForm({ headers }: IncomingMessage): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', preservePath: true, limits: { fieldSize: FIELD_LIMIT_BYTES } });
  } catch {
    throw broken();
  }
}

async function* bytesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
  } catch {
    throw endedEarly();
  }
}

function broken(): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The body must be well-formed multipart/form-data.');
}

function endedEarly(): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The upload was cut off before its end.');
}

function tooLong(name: string): DomainError {
  return invalidField(name, `must not be longer than ${FIELD_LIMIT_BYTES / 1024 / 1024} MiB`);
}
