import { Client } from 'pg';
import type { Visitor } from '../../e2e/visitor';
import type { SentStatement } from '../../support/statements';
import { percentile } from '../table';
import type { MeasuredService } from './measured-service';

const ROUNDS = 15;

export interface MeasuredPage {
  readonly name: string;
  readonly bytes: number;
  readonly statements: number;
  /** Medians in milliseconds: `ms` is the time until the answer, `cpuMs` the service's CPU time for it. */
  readonly ms: number;
  readonly cpuMs: number;
  /** The time that pg needs to send the same statements one after the other, in milliseconds. */
  readonly pgMs: number;
}

/** Reads each page in turn; after each read, a plain database client sends the same statements. */
export async function measurePages(
  service: MeasuredService,
  visitor: Visitor,
  database: Client,
  paths: Readonly<Record<string, string>>,
): Promise<MeasuredPage[]> {
  const asked = Object.entries(paths).map(([name, path]) => ({ name, path, rounds: [] as Round[] }));
  // Rounds with a negative number prepare the statements and do not count.
  for (let round = -2; round < ROUNDS; round++) {
    for (const { path, rounds } of asked) {
      const measured = await measureOnce(service, visitor, database, path);
      if (round >= 0) rounds.push(measured);
    }
  }
  return asked.map(({ name, rounds }) => {
    const median = (figure: (round: Round) => number): number => percentile(rounds.map(figure), 0.5);
    return {
      name,
      bytes: Math.max(...rounds.map(({ bytes }) => bytes)),
      statements: Math.max(...rounds.map(({ statements }) => statements)),
      ms: median(({ ms }) => ms),
      cpuMs: median(({ cpuMs }) => cpuMs),
      pgMs: median(({ pgMs }) => pgMs),
    };
  });
}

type Round = Omit<MeasuredPage, 'name'>;

async function measureOnce(service: MeasuredService, visitor: Visitor, database: Client, path: string): Promise<Round> {
  const before = await service.spent();
  const began = performance.now();
  const { status, text } = await visitor.get(path);
  const ms = performance.now() - began;
  if (status !== 200) throw new Error(`${path} answers ${status}: ${text.slice(0, 500)}`);
  const { statements, cpuMs } = await service.spent();
  return {
    bytes: Buffer.byteLength(text),
    statements: statements.length,
    ms,
    cpuMs: cpuMs - before.cpuMs,
    pgMs: await replay(database, statements),
  };
}

/** Sends the statements, and rolls back their changes: a page also stores when its session was last seen. */
async function replay(database: Client, statements: readonly SentStatement[]): Promise<number> {
  const began = performance.now();
  for (const { text, values, name } of statements) {
    await database.query({ text, values: values ?? [], ...(name !== undefined && { name }), rowMode: 'array' });
  }
  return performance.now() - began;
}
