// The program that the thread of a ReaderOfEndlessReports runs.
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { readReport } from '../../src/modules/test-health/reports/read-report';
import type { EndlessReport, EndOfReading } from './endless-report';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

async function readToItsEnd({ fileName, before, piece, bytes }: EndlessReport): Promise<EndOfReading> {
  const atFirst = heldBytes();
  let held = 0;
  async function* report(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(before);
    try {
      for (let at = 0, read = 0; read < bytes; at++) {
        const chunk = Buffer.from(piece.replaceAll('@', String(at)));
        read += chunk.length;
        yield await Promise.resolve(chunk);
      }
    } finally {
      held = heldBytes() - atFirst;
    }
  }
  let refusal: string | null = null;
  let emptyBatches = 0;
  try {
    for await (const results of readReport(report(), { fileName })) if (results.length === 0) emptyBatches += 1;
  } catch (error) {
    refusal = error instanceof Error ? error.constructor.name : String(error);
  }
  return { refusal, emptyBatches, heldBytes: held };
}

parentPort?.on('message', (report: EndlessReport) => {
  void readToItsEnd(report).then((end) => parentPort?.postMessage(end));
});
