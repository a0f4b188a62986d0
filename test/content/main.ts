import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { MERGE_METHODS, type MergeMethod } from '../../src/engine/vocabulary';
import { CONTENT_BUGS } from './bugs';
import type { Answer, Part } from './part';
import { problemIn } from './programs';

const HELP = `Plays random repositories: people change, merge, revert, pick and stack, and the real builder and landing merge what
they opened, by every method. git in a work tree says what each landing is to be.

  npm run test:content -- [options]

  --repositories N  for each merge method (1000)
  --seed N          the first seed (1)
  --method NAME     one method alone
  --seeds N         series of repositories in which each old bug is looked for (20)
  --most N          repositories of a series within which a bug must be found (50)
  --show N          plays the repository of this seed alone, and says what is wrong with it
  --jobs N          processes (as many as processors)

Ends with 1 where a landing is wrong, or an old bug is not found.`;

const { values } = parseArgs({
  options: {
    repositories: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    method: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    most: { type: 'string', default: '50' },
    show: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    help: { type: 'boolean', short: 'h' },
  },
});

const PART_SIZE = 20;
/** For each bug in the list, the merge method with which the bug is played. */
const METHOD_OF_BUG: readonly MergeMethod[] = ['rebase', 'rebase', 'merge_commit', 'squash'];
const methods = MERGE_METHODS.filter((method) => values.method === undefined || method === values.method);
const first = Number(values.seed);

async function inProcesses(parts: readonly Part[], told: (part: Part, answer: Answer) => void): Promise<void> {
  const waiting = parts.values();
  const work = async (): Promise<void> => {
    for (const part of waiting) told(part, await carriedOut(part));
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
}

function carriedOut(part: Part): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = fork(require.resolve('./worker'), { execArgv: process.execArgv });
    child.once('message', (answer) => resolve(answer as Answer));
    child.once('exit', (code) => reject(new Error(`A process that played repositories ended with ${code}.`)));
    child.send(part);
  });
}

async function playAsItIs(): Promise<boolean> {
  const total = Number(values.repositories);
  const parts = methods.flatMap((method): Part[] =>
    Array.from({ length: Math.ceil(total / PART_SIZE) }, (_, at) => {
      const count = Math.min(PART_SIZE, total - at * PART_SIZE);
      return { bug: null, method, from: first + at * PART_SIZE, count, stops: false };
    }),
  );
  const sums = new Map(methods.map((method) => [method, { played: 0, landed: 0, wrong: 0 }]));
  let done = 0;
  await inProcesses(parts, ({ method }, { played, landed, problems }) => {
    const sum = sums.get(method)!;
    sum.played += played;
    sum.landed += landed;
    sum.wrong += problems.length;
    for (const problem of problems) console.log(problem);
    if (++done % 10 === 0) console.error(`${done * PART_SIZE} of ${parts.length * PART_SIZE} repositories`);
  });
  console.log('\n| Method | Repositories | Landed | Wrong |\n| --- | --- | --- | --- |');
  for (const [method, { played, landed, wrong }] of sums)
    console.log(`| ${method} | ${played} | ${landed} | ${wrong} |`);
  return [...sums.values()].every(({ played, wrong }) => played >= total && wrong === 0);
}

/**
 * For every series and bug, prints how many repositories were played until the bug was found; `most` plus one if the
 * bug was not found.
 */
async function findBugs(): Promise<number> {
  const [seeds, most] = [Number(values.seeds), Number(values.most)];
  const parts = CONTENT_BUGS.flatMap((_, bug): Part[] =>
    Array.from({ length: seeds }, (_none, series) => {
      const from = 1_000_000 + (first + series) * 1_000;
      return { bug, method: METHOD_OF_BUG[bug]!, from, count: most, stops: true };
    }),
  );
  const found = CONTENT_BUGS.map((): number[] => []);
  await inProcesses(parts, ({ bug }, { played, problems }) => {
    found[bug ?? 0]!.push(problems.length > 0 ? played : most + 1);
    console.error(`${found.flat().length} of ${parts.length} series`);
  });
  console.log(`\n| Bug, in ${seeds} series | Least | Median | Most |\n| --- | --- | --- | --- |`);
  for (const [at, counts] of found.entries()) {
    const sorted = counts.toSorted((a, b) => a - b);
    const shown = [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
    console.log(`| ${CONTENT_BUGS[at]!.name} | ${shown.map((n) => (n > most ? 'not found' : n)).join(' | ')} |`);
  }
  return found.filter((counts) => counts.every((count) => count <= most)).length;
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  if (values.show !== undefined) {
    for (const method of methods)
      console.log((await problemIn(null, method, Number(values.show))).problem ?? `${method}: nothing wrong`);
    return;
  }
  const isRight = await playAsItIs();
  const bugs = Number(values.seeds) === 0 ? CONTENT_BUGS.length : await findBugs();
  const figure = `${bugs} of ${CONTENT_BUGS.length} bugs found in every series`;
  console.log(
    `\n${isRight ? 'nothing wrong in the program as it is' : 'the program as it is lands something wrong'}; ${figure}`,
  );
  process.exitCode = isRight && bugs === CONTENT_BUGS.length ? 0 : 1;
}

void main();
