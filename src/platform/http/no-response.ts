import type { ClientRequest } from 'node:http';

/** A request that ended without a response. The message is for people and names no secrets. */
export class NoResponse extends Error {}

/**
 * Calls `fail` if a request ends without a response: after an error, a closed connection, or a switch to another
 * protocol (status 101), for which Node.js emits neither `response` nor `error`. Once a response has begun, only the
 * response tells how it ends. May call `fail` several times.
 */
export function onNoResponse(request: ClientRequest, fail: (error: Error) => void): void {
  let hasResponse = false;
  request.once('response', () => (hasResponse = true));
  request.on('error', fail);
  request.once('upgrade', ({ statusCode }, socket) => {
    socket.destroy();
    fail(new NoResponse(`answered ${statusCode}, a switch to another protocol`));
  });
  request.once('close', () => {
    if (!hasResponse) fail(new NoResponse('the connection closed without an answer'));
  });
}
