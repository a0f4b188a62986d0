import type { Command } from 'commander';
import type { RepositoryName } from '../../platform/repository-name';
import { askingService, type ServiceOptions } from '../answering';
import { parseNumber, parseRepository, REPOSITORY } from '../arguments';
import { table } from '../reply';
import type { Terminal } from '../terminal';

const USUAL_DAYS = 28;
const MINUTE_MS = 60_000;

interface FiguresAnswer {
  readonly mergedCount: number;
  readonly failedCount: number;
  readonly cancelledCount: number;
  readonly waitedP50Ms: number | null;
  readonly waitedP90Ms: number | null;
  readonly runCount: number;
  readonly runsPerMerged: number | null;
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  readonly etaErrorMs: number | null;
}

interface HistoryAnswer {
  readonly days: readonly (FiguresAnswer & { readonly day: string })[];
  readonly total: FiguresAnswer;
}

interface HistoryOptions extends ServiceOptions {
  readonly branch: string;
  readonly days: number;
  readonly until?: string;
}

/** `queue history`. */
export function addQueueHistoryCommand(queue: Command, terminal: Terminal): void {
  const command = queue
    .command('history')
    .description('daily figures of a queue: merged, failed, time in the queue, tests, and why pull requests left')
    .argument(...REPOSITORY, parseRepository)
    .option('--branch <branch>', 'target branch', 'main')
    .option('--days <count>', 'how many days, up to 366', parseNumber, USUAL_DAYS)
    .option('--until <day>', 'the last day in UTC, such as 2026-11-22; default: today');
  askingService<HistoryOptions>(command, terminal, async ({ args, options: { branch, days, until } }, api) => {
    const asked = { repo: args[0] as RepositoryName, targetBranch: branch, take: days };
    const history = await api.post<HistoryAnswer>('getQueueHistoryByDay', { ...asked, ...(until && { until }) });
    return { data: history, lines: historyLines(history) };
  });
}

interface CostAnswer {
  readonly runCount: number;
  readonly lostMs: number;
  readonly pullRequestCount: number;
}

interface CostsAnswer extends CostAnswer {
  readonly unexplainedRunCount: number;
  readonly tests: readonly (CostAnswer & {
    readonly name: string;
    readonly parent: string;
    readonly file: string;
    readonly statuses: readonly string[];
  })[];
}

interface CostsOptions extends ServiceOptions {
  readonly branch: string;
  readonly days: number;
}

/** `queue flaky-costs`. */
export function addFlakyCostsCommand(queue: Command, terminal: Terminal): void {
  const command = queue
    .command('flaky-costs')
    .description('show what flaky tests cost a queue: test runs that failed on code that passed in another run')
    .argument(...REPOSITORY, parseRepository)
    .option('--branch <branch>', 'target branch', 'main')
    .option('--days <count>', 'how many days, up to 90', parseNumber, USUAL_DAYS);
  askingService<CostsOptions>(command, terminal, async ({ args, options: { branch, days } }, api) => {
    const asked = { repo: args[0] as RepositoryName, targetBranch: branch, take: days };
    const costs = await api.post<CostsAnswer>('getFlakyTestCosts', asked);
    return { data: costs, lines: costLines(costs) };
  });
}

function costLines({ tests, unexplainedRunCount, ...all }: CostsAnswer): string[] {
  if (all.runCount === 0) return ['Nothing: no test run failed on code that passed in another test run.'];
  const head = ['test', 'file', 'statuses', 'failed runs', 'lost', 'pull requests'];
  const rows = tests.map(({ name, parent, file, statuses, ...cost }) => [
    ...[parent === '' ? name : `${parent} › ${name}`, file === '' ? '-' : file, statuses.join(', ')],
    ...costCells(cost),
  ]);
  const unexplained =
    unexplainedRunCount === 0 ? [] : ['', `${unexplainedRunCount} of the runs have no uploaded test results`];
  return [...table([head, ...rows, ['together', '', '', ...costCells(all)]]), ...unexplained];
}

function costCells({ runCount, lostMs, pullRequestCount }: CostAnswer): string[] {
  return [String(runCount), `${Math.round(lostMs / MINUTE_MS)} min`, String(pullRequestCount)];
}

function historyLines({ days, total }: HistoryAnswer): string[] {
  const head = [
    'day',
    'merged',
    'failed',
    'cancelled',
    'half took at most',
    '9 of 10 took at most',
    'runs',
    'runs per merge',
  ];
  const rows = days.map(({ day, ...figures }) => [day, ...cells(figures)]);
  const reasons = total.reasons.map(({ reason, count }) => `${count} left unmerged: ${reason}`);
  return [...table([head, ...rows, ['together', ...cells(total)]]), ...(reasons.length === 0 ? [] : ['', ...reasons])];
}

function cells(figures: FiguresAnswer): string[] {
  const { mergedCount, failedCount, cancelledCount, waitedP50Ms, waitedP90Ms, runCount, runsPerMerged } = figures;
  return [
    ...[mergedCount, failedCount, cancelledCount].map(String),
    ...[waitedP50Ms, waitedP90Ms].map((ms) => (ms === null ? '-' : `${Math.max(1, Math.round(ms / MINUTE_MS))} min`)),
    String(runCount),
    runsPerMerged === null ? '-' : String(runsPerMerged),
  ];
}
