import type { Response } from 'express';
import { ServerSentEvents } from '../../platform/http/server-sent-events';
import type { EndOfWatch, QueueWatcher, SeenQueue } from '../../modules/views/queue-changes';

interface VersionStream {
  /** The version of what is watched, as the page has it. */
  readonly versionOf: (queues: readonly SeenQueue[]) => string;
  /** Returns what ends the watch. */
  readonly watch: (stream: Pick<QueueWatcher, 'see' | 'end'>) => () => void;
}

/**
 * Server-sent events: `version` when the stream begins and whenever it is another one, `ping` in between, `end` with the reason at
 * the last. A version stands for everything before it, so a browser that comes back has missed nothing.
 */
export function streamVersions(response: Response, { versionOf, watch }: VersionStream): void {
  const events = ServerSentEvents.begin(response);
  if (events === null) return;
  let told: string | null = null;
  const stop = watch({
    see(queues) {
      const version = versionOf(queues);
      if (!events.stayOpen() || version === told) return;
      told = version;
      events.send('version', version, version);
    },
    end: (why: EndOfWatch) => events.end(why),
  });
  response.once('close', stop);
}
