import { Client } from 'pg';
import { readCommandLine, WRITES } from '../support/command-line';
import { Visitor } from '../e2e/visitor';
import { printDurability, printMachine } from './machine';
import { MeasuredService } from './page/measured-service';
import { type MeasuredPage, measurePages } from './page/pages';
import { type MeasuredTabs, measureTabs } from './page/tabs';
import { printNote, writeResults } from './results';
import { printTable } from './table';
import { withThrowAwayDatabase } from './throw-away-database';

const COUNTS = [0, 3, 12, 1_000, 10_000];
const COUNT_OF_GOALS = 1_000;
const MOST_BYTES = 150_000;
const MOST_MS = 300;
/** The limit allows one statement each second, and one more at the edge of a ten-second period. */
const MOST_STATEMENTS_PER_SECOND = 1.1;
/** The session and the queue are read for each tab, and the queue's content once for all tabs together. */
const MOST_STATEMENTS_PER_TAB = 10;

interface Measured {
  readonly count: number;
  readonly pages: readonly MeasuredPage[];
}

/** The cost of queue pages by the number of pull requests, and the cost of open tabs. */
async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:page',
    does: 'Measures the pages of a queue, and open tabs. Ends with 1 if a goal is missed.',
    options: WRITES,
  });
  printMachine();
  printDurability('none');
  await withThrowAwayDatabase(async ({ url }) => {
    const { measured, tabs } = await measure(url);
    const missed = report(measured, tabs);
    if (values.write) writeResults('page');
    const last = pageOf(measured, COUNT_OF_GOALS, 'queue');
    console.log(`${last.ms.toFixed(0)} ms, ${missed.length} goals missed`);
    if (missed.length > 0) process.exitCode = 1;
  });
}

async function measure(databaseUrl: string) {
  const service = await MeasuredService.start(databaseUrl);
  const client = new Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const address = await service.address();
    const visitor = new Visitor(address.url);
    await visitor.signIn(address.token, { person: 'ada' });
    const measured: Measured[] = [];
    for (const count of COUNTS) {
      const pullRequest = await service.fill(count);
      const history = address.queue.replace('/ui/queue', '/ui/history');
      const paths = { queue: address.queue, 'pull request': pullRequest, overview: '/ui', history };
      const pages = await measurePages(service, visitor, client, paths);
      console.error(`${count} pull requests: ${pages.map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`).join(', ')}`);
      measured.push({ count, pages });
    }
    return { measured, tabs: await measureTabs(service, visitor, address) };
  } finally {
    await client.end();
    await service.stop();
  }
}

/** Returns the missed goals. */
function report(measured: readonly Measured[], { tabs, quiet, change }: MeasuredTabs): readonly string[] {
  const rows = measured.flatMap(({ count, pages }) =>
    pages.map(({ name, bytes, statements, ms, cpuMs, pgMs }) => [
      ...[name, String(count), `${(bytes / 1000).toFixed(1)} KB`, String(statements)],
      ...[ms, cpuMs, pgMs].map((figure) => figure.toFixed(1)),
      (ms / pgMs).toFixed(1),
    ]),
  );
  const head = ['page', 'pull requests', 'first answer', 'statements', 'ms', 'CPU ms', 'by pg alone, ms', 'ratio'];
  printTable('Pages by the number of pull requests in the queue, medians', head, rows.sort(byPage));
  printTable(
    `${tabs} open tabs of a queue with 10,000`,
    ['', 'statements', 'CPU'],
    [
      ['a second, while nothing changes', quiet.perSecond.toFixed(2), `${(100 * quiet.cpuShare).toFixed(1)} %`],
      ['a tab, when the queue changes', change.statementsPerTab.toFixed(1), `${change.cpuMsPerTab.toFixed(1)} ms`],
    ],
  );
  printNote(`all ${tabs} tabs showed the change after ${(change.ms / 1000).toFixed(1)} s`);
  const missed = missedGoals(measured, { tabs, quiet, change });
  for (const goal of missed) printNote(`MISSED: ${goal}`);
  return missed;
}

function missedGoals(measured: readonly Measured[], { quiet: { perSecond }, change }: MeasuredTabs): string[] {
  const queue = pageOf(measured, COUNT_OF_GOALS, 'queue');
  const bytes = Math.max(...measured.flatMap(({ pages }) => pages.map((page) => page.bytes)));
  const growing = measured[0]!.pages
    .map(({ name }) => name)
    .filter((name) => {
      const counted = COUNTS.filter((count) => count >= 12).map((count) => pageOf(measured, count, name).statements);
      return counted.some((statements) => statements > counted[0]!);
    });
  return [
    ...(bytes < MOST_BYTES ? [] : [`a first answer has ${bytes} bytes; goal: less than ${MOST_BYTES}`]),
    ...(queue.ms < MOST_MS
      ? []
      : [`the queue with ${COUNT_OF_GOALS} took ${queue.ms.toFixed(0)} ms; goal: less than ${MOST_MS}`]),
    ...growing.map((name) => `the statements of the page "${name}" grow with the queue`),
    ...(perSecond <= MOST_STATEMENTS_PER_SECOND
      ? []
      : [`open tabs cost ${perSecond.toFixed(2)} statements a second; goal: 1`]),
    ...(change.statementsPerTab <= MOST_STATEMENTS_PER_TAB
      ? []
      : [`a change costs ${change.statementsPerTab.toFixed(1)} statements a tab; goal: ${MOST_STATEMENTS_PER_TAB}`]),
  ];
}

function pageOf(measured: readonly Measured[], count: number, name: string): MeasuredPage {
  return measured.find((one) => one.count === count)!.pages.find((page) => page.name === name)!;
}

/** Groups pages, then sorts by the number of pull requests. */
function byPage(a: readonly string[], b: readonly string[]): number {
  return a[0] === b[0] ? Number(a[1]) - Number(b[1]) : a[0]! < b[0]! ? -1 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
