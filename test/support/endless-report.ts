import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const LOAD = join(__dirname, '../../prisma/engine/load-typescript.cjs');
const READER = join(__dirname, 'endless-report-reader.ts');

/** A report that repeats its piece until the given number of bytes has been read. */
export interface EndlessReport {
  readonly fileName: string;
  readonly before: string;
  /** The repeated text. `@` stands for the number of the piece. */
  readonly piece: string;
  readonly bytes: number;
}

export interface EndOfReading {
  /** The name of the error; null if the report was read to its end. */
  readonly refusal: string | null;
  readonly emptyBatches: number;
  /** The memory in use at the end of the report, minus the memory before the report. */
  readonly heldBytes: number;
}

/**
 * Reads reports in a thread with its own heap. In a small heap, a garbage collection shows how much memory is held, but
 * the heap of a jest worker has hundreds of megabytes.
 */
export class ReaderOfEndlessReports {
  private readonly worker = new Worker(`require(${JSON.stringify(LOAD)}); require(${JSON.stringify(READER)});`, {
    eval: true,
  });

  async read(report: EndlessReport): Promise<EndOfReading> {
    const answer = once(this.worker, 'message');
    this.worker.postMessage(report);
    const [end] = (await answer) as [EndOfReading];
    return end;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
