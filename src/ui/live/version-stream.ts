import type { Response } from 'express';
import type { EndOfWatch, QueueWatcher } from '../../reading/queue-changes';

/** Proxies and browsers end connections that are silent for long; a browser ends one that is silent for 45 s. */
const PING_AFTER_MS = 15_000;
const RETRY_MS = 2_000;
/** A browser that reads nothing any more, but has not gone. */
const MOST_UNREAD_BYTES = 16_384;

/**
 * Server-sent events: `version` with the version of the queue when the stream begins and whenever it changes, `ping` in between,
 * `end` with the reason at the last. A version stands for everything before it, so a browser that comes back has missed nothing.
 */
export function streamVersions(
  response: Response,
  watch: (stream: Pick<QueueWatcher, 'see' | 'end'>) => () => void,
): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.write(`retry: ${RETRY_MS}\n\n`);
  let told: number | null = null;
  let spokeAt = performance.now();
  const send = (event: string, data: string, id = ''): void => {
    spokeAt = performance.now();
    response.write(`event: ${event}\n${id}data: ${data}\n\n`);
  };
  const stop = watch({
    see(version) {
      if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
      else if (version !== told) send('version', String((told = version)), `id: ${version}\n`);
      else if (performance.now() - spokeAt >= PING_AFTER_MS) send('ping', '');
    },
    end(why: EndOfWatch) {
      send('end', why);
      response.end();
    },
  });
  response.once('close', stop);
}
