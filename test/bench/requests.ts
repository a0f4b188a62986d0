import 'reflect-metadata';
import { readCommandLine, WRITES } from '../support/command-line';
import type { LoggedRequest } from '../support/forge/request-log';
import setUp from '../global-setup';
import tearDown from '../global-teardown';
import { printMachine } from './machine';
import {
  byOperation,
  countedForEach,
  countedRequests,
  gitRequests,
  mostCounted,
  unchangedAnswers,
} from './requests/count';
import { type CountedForge, COUNTED_FORGES } from './requests/forges';
import { type MergedPullRequests, MergingTeam, type TeamOptions } from './requests/merging-team';
import { printNote, writeResults } from './results';
import { mean, printTable } from './table';

const USUAL_MERGES = 1;
const IN_A_BATCH = 8;
const ALONE = { news: 'webhooks', together: 1, unknownReads: 0 } as const;

type Way = Omit<TeamOptions, 'forge'>;

/** The ways of merging that are measured at a code host. */
interface Ways {
  /** Every merge method with submission by comment, and the first method with submission through the API. */
  readonly detailed: readonly Way[];
  readonly alone: Way;
  readonly batched: Way;
  readonly polled: Way;
  readonly polledBatched: Way;
  /**
   * The way in which the host answers the first read of every pull request with unknown mergeability; null if the host
   * never answers so.
   */
  readonly unknown: Way | null;
}

function waysOf({ mergeMethods, answerUnknown }: CountedForge): Ways {
  const byComment = mergeMethods.map((mergeMethod): Way => ({ ...ALONE, mergeMethod, submittedBy: 'comment' }));
  const [alone] = byComment;
  if (alone === undefined) throw new Error('A forge merges in some way.');
  const polled: Way = { ...alone, news: 'polling' };
  return {
    ...{ alone, polled, detailed: [...byComment, { ...alone, submittedBy: 'API' }] },
    batched: { ...alone, together: IN_A_BATCH },
    polledBatched: { ...polled, together: IN_A_BATCH },
    unknown: answerUnknown === null ? null : { ...alone, unknownReads: 1 },
  };
}

interface Measured {
  /** The first merges after the service started, when its caches are empty. */
  readonly cold: MergedPullRequests;
  readonly warm: readonly MergedPullRequests[];
}

interface MeasuredForge {
  readonly forge: CountedForge;
  readonly ways: Ways;
  readonly measured: ReadonlyMap<Way, Measured>;
  readonly complaints: readonly string[];
}

/** Requests per merged pull request at each code host: the real service merges with the mock hosts. */
async function main(): Promise<void> {
  const { values } = readCommandLine({
    script: 'bench:requests',
    does: 'Counts requests to each code host for a merge. Ends with 1 if a goal is missed.',
    options: { ...WRITES, merges: { takes: 'N', says: 'merges for each way of working' } },
  });
  const merges = Number(values.merges ?? USUAL_MERGES);
  await setUp({ maxWorkers: 1 });
  process.env.DATABASE_URL = `${process.env.TEST_DATABASE_BASE}_1`;
  try {
    const forges: MeasuredForge[] = [];
    for (const forge of COUNTED_FORGES) forges.push(await measure(forge, merges));
    report(forges, merges);
    if (values.write) writeResults('requests');
  } finally {
    await tearDown();
  }
}

async function measure(forge: CountedForge, merges: number): Promise<MeasuredForge> {
  const ways = waysOf(forge);
  const { detailed, batched, polled, polledBatched, unknown } = ways;
  const measured = new Map<Way, Measured>();
  const complaints: string[] = [];
  for (const way of [...detailed, batched, polled, polledBatched, ...(unknown === null ? [] : [unknown])]) {
    const team = await MergingTeam.start({ forge, ...way });
    try {
      const cold = await team.merge();
      const warm: MergedPullRequests[] = [];
      for (let merged = 0; merged < merges; merged++) warm.push(await team.merge());
      measured.set(way, { cold, warm });
      complaints.push(...complaintsOf(team));
      console.error(`${forge.name}, ${nameOf(way)}: ${written(mostCounted(warm))}`);
    } finally {
      await team.close();
    }
  }
  return { forge, ways, measured, complaints };
}

function report(forges: readonly MeasuredForge[], merges: number): void {
  printMachine();
  printNote(`${merges} times each after the first, one after another, or batches of ${IN_A_BATCH}; all pages on`);
  reportSideBySide(forges);
  for (const forge of forges) reportForge(forge);
  const complaints = forges.flatMap((one) => one.complaints);
  for (const complaint of new Set(complaints)) printNote(`NOT IN THE FORGE'S CONTRACT: ${complaint}`);
  const dearest = forges.map((one) => ({ forge: one.forge, most: mostOf(one), batch: batchOf(one) }));
  printNote(`\n${complaints.length} outside the code hosts' descriptions`);
  for (const { forge, most, batch } of dearest) {
    printNote(`at most ${most} requests per merged pull request to ${forge.name}, ${forge.mostRequests} allowed`);
    const { requests, git } = forge.mostInBatch;
    const each = `${written(batch.requests)} requests and ${written(batch.git)} of git`;
    printNote(`${each} in a batch of ${IN_A_BATCH} to ${forge.name}, ${requests} and ${git} allowed`);
  }
  console.log(dearest.map(({ most }) => String(most)).join(' '));
  const isMissed = dearest.some(
    ({ forge: { mostRequests, mostInBatch }, most, batch }) =>
      most > mostRequests || batch.requests > mostInBatch.requests || batch.git > mostInBatch.git,
  );
  if (complaints.length > 0 || isMissed) process.exitCode = 1;
}

function complaintsOf(team: MergingTeam): string[] {
  try {
    team.assertFits();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** The highest number of requests among the ways of merging for which the budget holds. */
function mostOf({ ways, measured }: MeasuredForge): number {
  return Math.max(...[...ways.detailed, ways.batched].map((way) => mostCounted(measured.get(way)!.warm)));
}

/** Requests per pull request in the most expensive batch, as counted requests and git requests. */
function batchOf({ ways, measured }: MeasuredForge): CountedForge['mostInBatch'] {
  const { warm } = measured.get(ways.batched)!;
  const git = Math.max(...warm.map(({ requests, numbers }) => gitRequests(requests) / numbers.length));
  return { requests: mostCounted(warm), git };
}

function reportSideBySide(forges: readonly MeasuredForge[]): void {
  const row = (name: string, figure: (forge: MeasuredForge) => number): string[] => [
    name,
    ...forges.map((forge) => written(figure(forge))),
  ];
  const ofWay = (name: string, which: 'alone' | 'batched' | 'polled' | 'polledBatched'): string[] =>
    row(name, ({ ways, measured }) => mean(measured.get(ways[which])!.warm.map(countedForEach)));
  const ofLook = (name: string, which: number): string[] =>
    row(name, ({ ways, measured }) =>
      mean(measured.get(ways.polled)!.warm.map(({ looks }) => countedOf(looks[which]))),
    );
  printTable(
    'Requests per merged pull request, submitted by comment',
    ['', ...forges.map(({ forge }) => `${forge.name}, ${forge.mergeMethods[0] ?? ''}`)],
    [
      ofWay('with webhooks, one by one', 'alone'),
      ofWay(`with webhooks, ${IN_A_BATCH} in a batch`, 'batched'),
      row('the same, git over HTTP', (forge) => batchOf(forge).git),
      ofWay('polling, one by one', 'polled'),
      ofWay(`polling, ${IN_A_BATCH} in a batch`, 'polledBatched'),
      ofLook('a poll while one is tested, the first', 0),
      ofLook('a poll without changes', 2),
      row('**the most expensive merge method, with webhooks**', mostOf),
      row('allowed', ({ forge }) => forge.mostRequests),
    ],
  );
}

function reportForge({ forge, ways, measured: byWay }: MeasuredForge): void {
  const measured = ways.detailed.map((way) => byWay.get(way)!);
  const operations = [
    ...new Set(measured.flatMap(({ warm }) => warm.flatMap((one) => [...byOperation(one.requests).keys()]))),
  ];
  const row = (name: string, figure: (one: Measured) => number): string[] => [
    name,
    ...measured.map((one) => written(figure(one))),
  ];
  const each = ({ warm }: Measured, count: (one: MergedPullRequests) => number): number => mean(warm.map(count));
  printTable(
    `Requests to ${forge.name} per merged pull request, one by one, with webhooks`,
    ['operation', ...ways.detailed.map(({ submittedBy, mergeMethod }) => `${submittedBy}, ${mergeMethod}`)],
    [
      ...operations
        .sort()
        .map((name) => row(name, (one) => each(one, ({ requests }) => byOperation(requests).get(name) ?? 0))),
      row('**all that count**', (one) => each(one, countedForEach)),
      row('the dearest one', ({ warm }) => mostCounted(warm)),
      row('the first after a start', ({ cold }) => countedForEach(cold)),
      row('answered 304, free', (one) => each(one, ({ requests }) => unchangedAnswers(requests))),
      row('git over HTTP, no REST', (one) => each(one, ({ requests }) => gitRequests(requests))),
    ],
  );
  if (ways.unknown === null) return;
  const more = each(byWay.get(ways.unknown)!, countedForEach) - each(byWay.get(ways.alone)!, countedForEach);
  printNote(`${written(more)} more by ${forge.name} when mergeability is unknown at first`);
}

function nameOf({ mergeMethod, submittedBy, news, together, unknownReads }: Way): string {
  const unknown = unknownReads > 0 ? ', mergeability unknown at first' : '';
  return `${mergeMethod} by ${submittedBy}, ${news}, ${together} together${unknown}`;
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
