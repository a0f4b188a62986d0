import type { Response } from 'express';
import { ServerSentEvents } from '../../platform/http/server-sent-events';
import type { EndOfWatch, QueueWatcher } from '../../reading/queue-changes';

/**
 * Server-sent events: `version` with the version of the queue when the stream begins and whenever it changes, `ping` in between,
 * `end` with the reason at the last. A version stands for everything before it, so a browser that comes back has missed nothing.
 */
export function streamVersions(
  response: Response,
  watch: (stream: Pick<QueueWatcher, 'see' | 'end'>) => () => void,
): void {
  const events = new ServerSentEvents(response);
  let told: number | null = null;
  const stop = watch({
    see([queue]) {
      if (!events.stayOpen() || queue === undefined || queue.version === told) return;
      told = queue.version;
      events.send('version', String(told), String(told));
    },
    end: (why: EndOfWatch) => events.end(why),
  });
  response.once('close', stop);
}
