import { rmSync } from 'node:fs';
import { startThrowAwayServer } from '../test-database';
import { type Area, AREAS } from './areas';
import { EQUIVALENTS } from './equivalents';
import { JestJudge } from './judging/jest-judge';
import { JudgeInProcess } from './judging/judge';
import type { MutantJudge } from './judging/verdict';
import { makeMutants } from './make-mutants';
import type { Mutant } from './mutant';
import { type Options, readOptions, sampleOf } from './options';
import { readSources, type Sources } from './project/sources';
import { type Judged, placeOf, reportOn } from './report';

const MILLISECONDS_BETWEEN_PROGRESS = 10_000;
const MILLISECONDS_OF_THE_RIGHT_ONE = 30 * 60_000;

/** The mutants that one kind of judge has to judge. */
interface Docket {
  readonly name: string;
  readonly mutants: readonly Mutant[];
  readonly judges: readonly MutantJudge[];
}

/**
 * Makes mutants and checks whether a test notices each of them. If a mutant survives, no test covers its code, or it is
 * equivalent.
 */
async function main(): Promise<void> {
  const startedAt = Date.now();
  const options = readOptions(process.argv.slice(2));
  if (options === null) return;
  const sources = readSources();
  const made = AREAS.map((area) => ({ area, mutants: makeMutants(sources, area) }));
  const asked = made.map(({ area, mutants }) => ({ area, mutants: pick(area, mutants, options) }));
  if (asked.every(({ mutants }) => mutants.length === 0)) throw new Error(`no mutant in ${options.files.join(', ')}`);
  const inProcess = asked.filter(({ area }) => area.specs === undefined).flatMap(({ mutants }) => mutants);
  const judged = [...(await judgeInProcess(sources, inProcess, options)), ...(await judgeByJest(asked, options))];
  const report = reportOn(
    judged,
    made.flatMap(({ mutants }) => mutants),
    EQUIVALENTS,
  );
  for (const line of report.lines) console.log(line);
  console.log(`\nseed ${options.seed}, ${secondsSince(startedAt)} s`);
  for (const { area, mutants } of made) {
    const own = judged.filter(({ mutant }) => area.files.test(mutant.file));
    console.log(`${area.name}, of ${mutants.length}: ${reportOn(own, mutants, EQUIVALENTS).figures}`);
  }
  console.log(report.figures);
  if (!report.isClean) process.exitCode = 1;
}

function pick({ usualLimit }: Area, mutants: readonly Mutant[], { files, limit, seed }: Options): readonly Mutant[] {
  const asked = mutants.filter(({ file }) => files.length === 0 || files.some((part) => file.includes(part)));
  return sampleOf(asked, limit ?? usualLimit, seed);
}

function judgeInProcess(sources: Sources, mutants: readonly Mutant[], options: Options): Promise<readonly Judged[]> {
  const limit = { milliseconds: MILLISECONDS_OF_THE_RIGHT_ONE };
  const judges = Array.from({ length: options.jobs }, () => new JudgeInProcess(sources, options.seed, limit));
  return judgeAll({ name: 'in process', mutants, judges });
}

async function judgeByJest(
  asked: readonly { readonly area: Area; readonly mutants: readonly Mutant[] }[],
  { jobs }: Options,
): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  const ofJest = asked.filter(({ area, mutants }) => area.specs !== undefined && mutants.length > 0);
  if (ofJest.length === 0) return judged;
  const { server, url, folder } = await startThrowAwayServer();
  try {
    for (const { area, mutants } of ofJest) {
      const limit = { milliseconds: MILLISECONDS_OF_THE_RIGHT_ONE };
      const judges = Array.from({ length: jobs }, () => new JestJudge(area.specs ?? [], url, limit));
      judged.push(...(await judgeAll({ name: area.name, mutants, judges })));
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return judged;
}

async function judgeAll({ name, mutants, judges }: Docket): Promise<readonly Judged[]> {
  if (mutants.length === 0) return [];
  const startedAt = Date.now();
  const answers = new Map<Mutant, Judged>();
  const waiting = mutants.values();
  const judgeInTurn = async (judge: MutantJudge): Promise<void> => {
    // All judges share one iterator, so that each takes the next mutant that no judge has taken.
    for (const mutant of waiting) {
      const answer = await judge.judge(mutant);
      answers.set(mutant, { mutant, answer });
      if (answer.type === 'survived') console.error(`survived: ${placeOf(mutant)}`);
    }
  };
  const tellProgress = (): void => {
    const survived = [...answers.values()].filter(({ answer }) => answer.type === 'survived').length;
    const figures = `${answers.size} of ${mutants.length} mutants, ${survived} survived so far`;
    console.error(`${name}: ${figures}, ${secondsSince(startedAt)} s`);
  };
  const progress = setInterval(tellProgress, MILLISECONDS_BETWEEN_PROGRESS);
  try {
    await assertRightOneSurvives(name, judges[0]!);
    await Promise.all(judges.map(judgeInTurn));
    tellProgress();
  } finally {
    clearInterval(progress);
    for (const judge of judges) judge.end();
  }
  return mutants.flatMap((mutant) => answers.get(mutant) ?? []);
}

/** Throws when the unchanged project fails, because the same unrelated problem would kill every mutant. */
async function assertRightOneSurvives(name: string, judge: MutantJudge): Promise<void> {
  const answer = await judge.judge(null);
  if (answer.type === 'killed') throw new Error(`${name}, the project as it is: ${answer.death.problem}`);
}

function secondsSince(startedAt: number): number {
  return Math.round((Date.now() - startedAt) / 1000);
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
