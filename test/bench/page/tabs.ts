import { setTimeout as after } from 'node:timers/promises';
import { EventStream } from '../../e2e/event-stream';
import type { Visitor } from '../../e2e/visitor';
import type { MeasuredService } from './measured-service';

const TABS = 50;
const SECONDS = 10;

export interface MeasuredTabs {
  readonly tabs: number;
  /** The cost while the queue does not change. */
  readonly quiet: { readonly perSecond: number; readonly cpuShare: number };
  /** The cost of one change of the queue, after which all tabs reload its page. */
  readonly change: { readonly statementsPerTab: number; readonly cpuMsPerTab: number; readonly ms: number };
}

/** Measures the cost of open tabs of one queue: while the tabs only listen, and after a change. */
export async function measureTabs(
  service: MeasuredService,
  visitor: Visitor,
  { url, queue }: { readonly url: string; readonly queue: string },
): Promise<MeasuredTabs> {
  const address = `${url}${queue.replace('/ui/queue', '/ui/live')}`;
  const streams = await Promise.all(Array.from({ length: TABS }, () => EventStream.open(address, visitor.cookie())));
  try {
    await Promise.all(streams.map((stream) => stream.next()));
    const quiet = await spentIn(service, () => after(SECONDS * 1000));
    const change = await spentIn(service, async () => {
      await service.change();
      await Promise.all(
        streams.map(async (stream) => {
          await stream.next();
          await visitor.get(queue);
        }),
      );
    });
    return {
      tabs: TABS,
      quiet: { perSecond: quiet.statements / quiet.seconds, cpuShare: quiet.cpuMs / 1000 / quiet.seconds },
      change: {
        statementsPerTab: change.statements / TABS,
        cpuMsPerTab: change.cpuMs / TABS,
        ms: change.seconds * 1000,
      },
    };
  } finally {
    for (const stream of streams) stream.close();
  }
}

async function spentIn(service: MeasuredService, work: () => Promise<unknown>) {
  const before = await service.spent();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1000;
  const { statements, cpuMs } = await service.spent();
  return { statements: statements.length, cpuMs: cpuMs - before.cpuMs, seconds };
}
