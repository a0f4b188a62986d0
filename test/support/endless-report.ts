import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const LOAD = join(__dirname, '../../prisma/engine/load-typescript.cjs');
const READER = join(__dirname, 'endless-report-reader.ts');

/** A report that goes on with its piece until that many bytes were read of it. */
export interface EndlessReport {
  readonly fileName: string;
  readonly before: string;
  /** `@` stands for the number of the piece. */
  readonly piece: string;
  readonly bytes: number;
}

export interface EndOfReading {
  /** The name of the error, or null: it was read. */
  readonly refusal: string | null;
  readonly emptyBatches: number;
  /** What is in memory at the end of the report and was not before it. */
  readonly heldBytes: number;
}

/**
 * Reads reports in a thread that has a heap of its own: what is held shows once the garbage is collected, and that of a worker of jest has
 * hundreds of megabytes.
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
