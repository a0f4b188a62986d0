import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { MERGE_METHODS } from '../../src/domain/code-host.port';
import type { LoggedRequest } from '../support/forge/request-log';
import setUp from '../global-setup';
import tearDown from '../global-teardown';
import { printMachine } from './machine';
import {
  byOperation,
  countedRequests,
  gitRequests,
  MOST_REQUESTS,
  mostCounted,
  unchangedAnswers,
} from './requests/count';
import { type MergedPullRequest, MergingTeam, type TeamOptions } from './requests/merging-team';
import { printNote, WRITE_OPTION, writeResults } from './results';
import { mean, printTable } from './table';

const USUAL_MERGES = 10;
const WAYS = (['comment', 'API'] as const).flatMap((submittedBy) =>
  MERGE_METHODS.map((mergeMethod) => ({ submittedBy, mergeMethod })),
);

interface Measured {
  /** The first one of a service that has just started. */
  readonly cold: MergedPullRequest;
  readonly warm: readonly MergedPullRequest[];
  readonly complaints: readonly string[];
}

interface Way extends Omit<TeamOptions, 'unknownReads'> {
  readonly known: Measured;
  /** GitHub answers the first read of every pull request that it does not know yet whether it can be merged. */
  readonly unknown: Measured;
}

/** What a merged pull request costs in requests to GitHub: the real service in front of the GitHub for tests. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { ...WRITE_OPTION, merges: { type: 'string' } } });
  const merges = Number(values.merges ?? USUAL_MERGES);
  await setUp({ maxWorkers: 1 });
  process.env.DATABASE_URL = `${process.env.TEST_DATABASE_BASE}_1`;
  try {
    const ways: Way[] = [];
    for (const way of WAYS) {
      const known = await measure({ ...way, unknownReads: 0 }, merges);
      ways.push({ ...way, known, unknown: await measure({ ...way, unknownReads: 1 }, merges) });
      console.error(`${way.mergeMethod} by ${way.submittedBy}: ${mostCounted(known.warm)}`);
    }
    report(ways, merges);
    if (values.write) writeResults('requests');
  } finally {
    await tearDown();
  }
}

async function measure(options: TeamOptions, merges: number): Promise<Measured> {
  const team = await MergingTeam.start(options);
  try {
    const cold = await team.merge();
    const warm: MergedPullRequest[] = [];
    for (let merged = 0; merged < merges; merged++) warm.push(await team.merge());
    return { cold, warm, complaints: team.complaints };
  } finally {
    await team.close();
  }
}

function report(ways: readonly Way[], merges: number): void {
  printMachine();
  printNote(`${merges} pull requests each after the first, one after another; all pages on; events by webhooks`);
  const operations = [
    ...new Set(ways.flatMap(({ known }) => known.warm.flatMap((one) => [...byOperation(one.requests).keys()]))),
  ];
  const row = (name: string, figure: (way: Way) => number): string[] => [
    name,
    ...ways.map((way) => written(figure(way))),
  ];
  const each = (measured: Measured, count: (one: MergedPullRequest) => number): number =>
    mean(measured.warm.map(count));
  const counted = (one: MergedPullRequest): number => countedOf(one.requests);
  printTable(
    'Requests per merged pull request',
    ['operation', ...ways.map((way) => `${way.submittedBy}, ${way.mergeMethod}`)],
    [
      ...operations
        .sort()
        .map((name) => row(name, ({ known }) => each(known, (one) => byOperation(one.requests).get(name) ?? 0))),
      row('**all that count**', ({ known }) => each(known, counted)),
      row('the dearest one', ({ known }) => mostCounted(known.warm)),
      row('the first after a start', ({ known }) => counted(known.cold)),
      row(
        'more when mergeability is unknown at first',
        ({ known, unknown }) => each(unknown, counted) - each(known, counted),
      ),
      row('answered 304, free', ({ known }) => each(known, (one) => unchangedAnswers(one.requests))),
      row('git over HTTP, no REST', ({ known }) => each(known, (one) => gitRequests(one.requests))),
      row('the first slow look while it is tested', ({ known }) => each(known, ({ looks }) => countedOf(looks[0]))),
      row('every other one without webhooks', ({ known }) => each(known, ({ looks }) => countedOf(looks[1]))),
    ],
  );
  const complaints = ways.flatMap(({ known, unknown }) => [...known.complaints, ...unknown.complaints]);
  for (const complaint of new Set(complaints)) printNote(`NOT IN GITHUB'S CONTRACT: ${complaint}`);
  const most = Math.max(...ways.map(({ known }) => mostCounted(known.warm)));
  printNote(
    `\n${complaints.length} outside GitHub's description; at most ${most} requests per merged pull request, ${MOST_REQUESTS} allowed`,
  );
  console.log(String(most));
  if (complaints.length > 0 || most > MOST_REQUESTS) process.exitCode = 1;
}

function countedOf(requests: readonly LoggedRequest[] = []): number {
  return countedRequests(requests).length;
}

function written(figure: number): string {
  return figure === 0 ? '' : String(Math.round(figure * 10) / 10);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
