import { Client } from 'pg';
import { percentile } from '../table';
import type { DeepQueue } from './deep-queue';
import { type Statement, StatementRecorder } from './statement-recorder';

export interface StatementCost {
  /** Of one decision, BEGIN and COMMIT included. */
  readonly statements: readonly number[];
  readonly milliseconds: readonly number[];
  /** The same statements sent by `pg` one after another, by name. */
  readonly byDriver: readonly number[];
}

/**
 * Makes every decision three times on the same state: once to see its statements, once with these sent by `pg` alone, and
 * once for good.
 */
export async function weighStatements(databaseUrl: string, queue: DeepQueue, cycles: number): Promise<StatementCost> {
  const recorder = new StatementRecorder();
  const driver = new Client({ connectionString: databaseUrl });
  await driver.connect();
  const cost = { statements: [] as number[], milliseconds: [] as number[], byDriver: [] as number[] };
  recorder.install();
  try {
    for (let cycle = 0; cycle < cycles; cycle++) {
      await queue.cycleWeighed(async (decide) => {
        const recorded = await recorder.rehearse(decide);
        cost.statements.push(recorded.length);
        cost.byDriver.push(await timed(() => sendAll(driver, recorded)));
        cost.milliseconds.push(await timed(decide));
        if (process.env.SHOW && cycle === cycles - 1)
          console.log(recorded.map(({ text }) => text.replaceAll(/\s+/g, ' ').slice(0, 150)).join('\n'), '\n');
      });
    }
  } finally {
    recorder.uninstall();
    await driver.end();
  }
  return cost;
}

const names = new Map<string, string>();

async function sendAll(driver: Client, statements: readonly Statement[]): Promise<void> {
  for (const { text, values } of statements) {
    if (!names.has(text)) names.set(text, `bench${names.size}`);
    await driver.query({
      text: text === 'COMMIT' ? 'ROLLBACK' : text,
      values: [...values],
      name: text === 'COMMIT' ? 'benchend' : names.get(text),
    });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
