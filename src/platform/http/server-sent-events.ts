import type { Response } from 'express';
import { releaseSlot } from './admission-control';

/** Proxies and browsers close silent connections; the script of the pages closes a connection after 45 s of silence. */
const PING_AFTER_MS = 15_000;
const RETRY_MS = 2_000;
/** With more unread bytes than this, the reader has stopped reading without closing the connection. */
const MOST_UNREAD_BYTES = 16_384;

/** An answer of server-sent events. It begins with status 200, so a handler must refuse a request before `begin`. */
export class ServerSentEvents {
  private spokeAt = performance.now();

  private constructor(private readonly response: Response) {
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Null: the request was HEAD, and the answer has ended. */
  static begin(response: Response): ServerSentEvents | null {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    releaseSlot(response);
    if (response.req.method !== 'HEAD') return new ServerSentEvents(response);
    response.end();
    return null;
  }

  /** `data` and `id` are one line each. */
  send(event: string, data: string, id?: string): void {
    this.spokeAt = performance.now();
    this.response.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
  }

  /**
   * Call this method every second: it sends a `ping` after a long silence. False: the client stopped reading, and was
   * disconnected.
   */
  stayOpen(): boolean {
    if (this.response.writableLength > MOST_UNREAD_BYTES) {
      this.response.destroy();
      return false;
    }
    if (performance.now() - this.spokeAt >= PING_AFTER_MS) this.send('ping', '');
    return true;
  }

  /** Sends the last event: `end` with the reason. */
  end(why: string): void {
    this.send('end', why);
    this.response.end();
  }
}
