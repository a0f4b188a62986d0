import type { IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onNoResponse } from '../../platform/http/no-response';
import { senderFor } from '../web-request';

export interface StreamedAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly date: string | undefined;
  readonly body: string;
}

/**
 * The limit is this long because the service may need long for the last part of an upload, and sends nothing meanwhile.
 */
const IDLE_TIMEOUT_MS = 300_000;

/**
 * Sends a body while it is made, at the pace of the receiver. An answer is accepted at any time, even before the whole
 * body was sent. Does not use fetch, which reads ahead of the network, and on some versions of Node hides a 401
 * (src/cli/upload/README.md).
 */
export function postStream(
  address: string,
  headers: Readonly<Record<string, string>>,
  body: AsyncIterable<Uint8Array>,
): Promise<StreamedAnswer> {
  return new Promise((resolve, reject) => {
    const request = senderFor(address)(address, { method: 'POST', headers, timeout: IDLE_TIMEOUT_MS });
    request.on('timeout', () => request.destroy(new Error(`nothing came for ${IDLE_TIMEOUT_MS / 1_000} seconds`)));
    let isAnswered = false;
    request.on('response', (response) => {
      isAnswered = true;
      answerOf(response).then(resolve, reject);
    });
    // Errors after the answer are ignored, because the service need not read the rest of the body.
    const fail = (error: unknown): void => {
      if (!isAnswered) reject(error instanceof Error ? error : new Error(String(error)));
    };
    onNoResponse(request, fail);
    pipeline(Readable.from(body, { objectMode: false }), request, (error) => {
      if (error) fail(error);
    });
  });
}

async function answerOf(response: IncomingMessage): Promise<StreamedAnswer> {
  const { statusCode = 0, headers } = response;
  return { status: statusCode, retryAfter: headers['retry-after'], date: headers.date, body: await text(response) };
}
