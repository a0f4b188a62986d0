import type { Response } from 'express';
import { leaveRoom } from './request-room';

/** Proxies and browsers end connections that are silent for long; our script ends one that is silent for 45 s. */
const PING_AFTER_MS = 15_000;
const RETRY_MS = 2_000;
/** A reader that reads nothing any more, but has not gone. */
const MOST_UNREAD_BYTES = 16_384;

/** An answer of server-sent events. It begins with the 200, so every refusal comes before. */
export class ServerSentEvents {
  private spokeAt = performance.now();

  private constructor(private readonly response: Response) {
    response.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Null: only the head was asked for (HEAD), and the answer has ended. */
  static begin(response: Response): ServerSentEvents | null {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    leaveRoom(response);
    if (response.req.method !== 'HEAD') return new ServerSentEvents(response);
    response.end();
    return null;
  }

  /** `data` and `id` are one line each. */
  send(event: string, data: string, id?: string): void {
    this.spokeAt = performance.now();
    this.response.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
  }

  /** To be called every second: a `ping` where nothing was said for long. False: nobody reads, and the answer has been cut off. */
  stayOpen(): boolean {
    if (this.response.writableLength > MOST_UNREAD_BYTES) {
      this.response.destroy();
      return false;
    }
    if (performance.now() - this.spokeAt >= PING_AFTER_MS) this.send('ping', '');
    return true;
  }

  /** The last event: `end` with the reason. */
  end(why: string): void {
    this.send('end', why);
    this.response.end();
  }
}
