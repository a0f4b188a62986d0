import { printNote } from '../results';
import { mean, percent, printTable } from '../table';
import type { Signing, Stage, Turn } from './stage';

/** The most CPU time that a signed statement may take, as a share of the CPU time of its merge. */
const MOST_FOR_STATEMENT = 0.02;
/** The interval of `AttestationKeeper`. */
const EVERY_SECONDS = 5;
const TIMES = 10;

interface Round {
  readonly turn: Turn;
  readonly signing: Signing;
}

/**
 * Compares the CPU time of a signed statement with the CPU time of its merge. Returns the missed goals, as sentences.
 */
export async function costOfStatements(stage: Stage): Promise<readonly string[]> {
  const rounds = await play(stage);
  const statements = sum(rounds, ({ signing }) => signing.statements);
  if (statements === 0) throw new Error('Nothing was signed.');
  const service = sum(rounds, ({ signing }) => signing.serviceMs) / statements;
  const postgres = sum(rounds, ({ signing }) => signing.postgresMs) / statements;
  const merge = {
    service: mean(rounds.map(({ turn }) => turn.serviceMs)),
    postgres: mean(rounds.map(({ turn }) => turn.postgresMs)),
  };
  const share = (service + postgres) / (merge.service + merge.postgres);
  printTable(
    `Signed statements: ${TIMES} times ${EVERY_SECONDS} seconds of merges, which the service then signs`,
    ['of a processor, each', 'service', 'PostgreSQL', 'how many'],
    [
      ['merged pull request', ms(merge.service), ms(merge.postgres), ''],
      ['signed statement', ms(service), ms(postgres), String(statements)],
    ],
  );
  const sentence = `a statement costs ${percent(share)} of the cost of its merge (at most ${percent(MOST_FOR_STATEMENT)})`;
  printNote(`\n${sentence}`);
  return share > MOST_FOR_STATEMENT ? [sentence] : [];
}

async function play(stage: Stage): Promise<readonly Round[]> {
  // The first call also makes the key.
  await stage.play(1);
  await stage.sign();
  const rounds: Round[] = [];
  for (let round = 0; round < TIMES; round++) {
    const turn = await stage.play(EVERY_SECONDS);
    const signing = await stage.sign();
    console.error(`signed ${signing.statements} statements, ${turn.mergedPerSecond.toFixed(1)} merged/s before`);
    rounds.push({ turn, signing });
  }
  return rounds;
}

function sum(rounds: readonly Round[], of: (round: Round) => number): number {
  return rounds.reduce((total, round) => total + of(round), 0);
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`;
}
