import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import { DomainError } from '../../../platform/errors/domain-error';
import { invalidField } from '../refusals';

/** Of `metadata` and of CODEOWNERS, which GitHub reads up to 3 MB. */
const FIELD_LIMIT_BYTES = 3 * 1024 * 1024;

/** What an upload is made of, in the order in which it came. */
export interface UploadParts {
  onField(name: string, value: string): Promise<void>;
  /** Reads the whole file, or throws. */
  onFile(fileName: string, bytes: AsyncIterable<Buffer>): Promise<void>;
}

const REPORT_TYPE =
  /^(?:application|text)\/(?:[\w.-]+\+)?xml\b|^application\/(?:x-)?gzip\b|^application\/octet-stream\b/i;

/** How the body is to be read. Errors: UNSUPPORTED_MEDIA_TYPE. */
export function requireReadable({ headers }: IncomingMessage): 'parts' | 'report' {
  const type = headers['content-type'] ?? '';
  if (/^multipart\/form-data\s*(?:;|$)/i.test(type)) return 'parts';
  if (REPORT_TYPE.test(type)) return 'report';
  throw new DomainError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be multipart/form-data, or one report as application/xml or application/gzip.',
  );
}

/**
 * Hands the parts on one after another, each when the one before is done; nothing of a body is kept. Rejects with what
 * `parts` threw; what still comes in is then read and dropped, so that the caller hears the answer. Errors:
 * UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED for a body that is broken or ends early.
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
      // Heard by whoever reads the file; before that nobody does.
      file.on('error', () => undefined);
      next(() => parts.onFile(filename || name, file));
    });
    form.on('error', () => fail(broken()));
    form.on('close', () => void turn.then(resolve, () => undefined));
    request.once('aborted', () => fail(endedEarly()));
    request.pipe(form);
  });
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
  return new DomainError('VALIDATION_FAILED', 'The body is not readable as multipart/form-data.');
}

function endedEarly(): DomainError {
  return new DomainError('VALIDATION_FAILED', 'The upload ended before all of it had come.');
}

function tooLong(name: string): DomainError {
  return invalidField(name, `must not be longer than ${FIELD_LIMIT_BYTES / 1024 / 1024} MiB`);
}
