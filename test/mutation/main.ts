import { EQUIVALENTS } from './equivalents';
import { Judge } from './judging/judge';
import { makeMutants } from './make-mutants';
import type { Mutant } from './mutant';
import { type Options, readOptions, sampleOf } from './options';
import { readSources, type Sources } from './project/sources';
import { type Judged, reportOn } from './report';

const MILLISECONDS_BETWEEN_PROGRESS = 10_000;

/** Makes wrong engines and looks whether anything we have notices; what survives is untested, or no other engine. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const sources = readSources();
  const all = makeMutants(sources);
  const asked = all.filter(isAskedFor(options));
  if (asked.length === 0) throw new Error(`no mutant in ${options.files.join(', ')}`);
  const judged = await judgeAll(sources, sampleOf(asked, options), options);
  const report = reportOn(judged, all, EQUIVALENTS);
  for (const line of report.lines) console.log(line);
  if (!report.isClean) process.exitCode = 1;
}

function isAskedFor({ files }: Options): (mutant: Mutant) => boolean {
  return ({ file }) => files.length === 0 || files.some((part) => file.includes(part));
}

async function judgeAll(sources: Sources, mutants: readonly Mutant[], options: Options): Promise<readonly Judged[]> {
  const judges = Array.from({ length: options.jobs }, () => new Judge(sources, options.seed));
  const answers = new Map<Mutant, Judged>();
  const waiting = mutants.values();
  const judgeInTurn = async (judge: Judge): Promise<void> => {
    // One iterator for all judges: each takes the next mutant that nobody has taken.
    for (const mutant of waiting) {
      const answer = await judge.judge(mutant);
      answers.set(mutant, { mutant, answer });
    }
  };
  const progress = setInterval(
    () => tellProgress([...answers.values()], mutants.length),
    MILLISECONDS_BETWEEN_PROGRESS,
  );
  try {
    await assertRightOneSurvives(judges[0]!);
    await Promise.all(judges.map(judgeInTurn));
  } finally {
    clearInterval(progress);
    for (const judge of judges) judge.end();
  }
  return mutants.flatMap((mutant) => answers.get(mutant) ?? []);
}

/** Otherwise every mutant would be killed, by something that is no fault of it. */
async function assertRightOneSurvives(judge: Judge): Promise<void> {
  const answer = await judge.judge(null);
  if (answer.type === 'killed') throw new Error(`the engine as it is: ${answer.death.problem}`);
}

function tellProgress(judged: readonly Judged[], total: number): void {
  const survived = judged.filter(({ answer }) => answer.type === 'survived').length;
  console.error(`${judged.length} of ${total} mutants, ${survived} survived so far`);
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
