import type { Command } from 'commander';
import type { ApiClient } from '../api-client';
import { askingService, type ServiceOptions } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';
import { describeRepository, parseNumber, parseRepository, REPOSITORY } from '../arguments';
import { describePullRequest, type PullRequestAnswer } from '../service-answers';
import type { Reply } from '../reply';
import type { Terminal } from '../terminal';
import { addWatch } from './watch';

interface PullRequestOptions extends ServiceOptions {
  readonly branch: string;
  readonly priority?: string;
  /** commander's value of `--no-batch`: true without the option. */
  readonly batch?: boolean;
  readonly dryRun?: true;
  readonly head?: string;
  readonly timeline?: true;
}

interface TimelineItem {
  readonly timestamp: string;
  readonly state: string;
  readonly reason: string | null;
  readonly actor: string | null;
}

interface TargetsAnswer {
  readonly source: 'uploaded' | 'computed';
  readonly impactsAll: boolean;
  readonly targetCount: number;
  readonly targets: readonly string[];
}

type Answer = PullRequestAnswer & {
  readonly timeline?: readonly TimelineItem[];
  /** Absent in the answers of older services. */
  readonly impactedTargets?: TargetsAnswer | null;
};

export function addPullRequestCommands(program: Command, terminal: Terminal): void {
  const pr = program.command('pr').description('pull requests in a queue');
  const leaf = (name: string, help: string) =>
    pr
      .command(name)
      .description(help)
      .argument(...REPOSITORY, parseRepository)
      .argument('<number>', 'number of the pull request', parseNumber)
      .option('--branch <branch>', 'target branch of the queue', 'main');

  const submit = leaf('submit', 'submit a pull request to be tested and merged')
    .option('--priority <priority>', 'urgent, high, medium, low or a number; lower numbers are tested first')
    .option('--no-batch', 'test the pull request alone, never in a batch')
    .option('--dry-run', 'dry run: test the pull request, but do not merge it')
    .option('--head <commit>', 'submit the pull request only if this is its head, 40 hex digits');
  askingService<PullRequestOptions>(submit, terminal, ({ args, options }, api) => {
    const extra = {
      ...(options.priority !== undefined && { priority: priorityOf(options.priority) }),
      ...(options.batch === false && { noBatch: true }),
      ...(options.dryRun && { dryRun: true }),
      ...(options.head !== undefined && { expectedHeadSha: options.head }),
    };
    return about('submitPullRequest', api, args, options, extra);
  });

  askingService<PullRequestOptions>(
    leaf('cancel', 'cancel a pull request: remove it from the queue'),
    terminal,
    ({ args, options }, api) => about('cancelPullRequest', api, args, options),
  );
  askingService<PullRequestOptions>(
    leaf('restart', "run a pull request's tests again"),
    terminal,
    ({ args, options }, api) => about('restartTestsOnPullRequest', api, args, options),
  );

  askingService<PullRequestOptions>(
    leaf('promote', 'move a pull request ahead of all waiting pull requests of the same priority'),
    terminal,
    ({ args, options }, api) => about('promotePullRequest', api, args, options),
  );

  const status = leaf('status', 'show the state of a pull request').option('--timeline', 'also show its timeline');
  askingService<PullRequestOptions>(status, terminal, ({ args, options }, api) =>
    about('getSubmittedPullRequest', api, args, options, options.timeline ? { includeTimeline: true } : {}),
  );

  addWatch(pr, terminal);
}

async function about(
  operation: string,
  api: ApiClient,
  args: readonly unknown[],
  { branch }: PullRequestOptions,
  extra: object = {},
): Promise<Reply> {
  const [repo, number] = args as [RepositoryName, number];
  const record = await api.post<Answer>(operation, { repo, targetBranch: branch, pr: { number }, ...extra });
  const command = record.isCurrentlySubmittedToQueue ? 'watch' : 'submit';
  return {
    data: record,
    lines: linesOf(record),
    next:
      record.state === 'merged'
        ? undefined
        : `sluice pr ${command} ${describeRepository(repo)} ${number} --branch ${branch}`,
  };
}

function linesOf(record: Answer): string[] {
  const timeline = (record.timeline ?? []).map(
    ({ timestamp, state, reason, actor }) =>
      `  ${[timestamp, state, reason, actor && `by ${actor}`].filter(Boolean).join('  ')}`,
  );
  return [
    describePullRequest(record),
    `  since ${record.stateChangedAt}, priority ${record.priorityName}, head ${record.prSha.slice(0, 12)}`,
    ...(record.waitingFor === null ? [] : [`  waiting for: ${record.waitingFor}`]),
    ...(record.impactedTargets ? [`  targets: ${describeTargets(record.impactedTargets)}`] : []),
    ...(record.eta
      ? [`  expected to end about ${record.eta.p50}, and with 90 % probability by ${record.eta.p90}`]
      : []),
    ...(record.stackedOn?.length
      ? [`  in a stack, submitted and merged with ${numbered(record.stackedOn)} below it`]
      : []),
    ...(record.stateMessage ? [`  ${record.stateMessage}`] : []),
    ...timeline,
  ];
}

function numbered(numbers: readonly number[]): string {
  return numbers.map((number) => `#${number}`).join(', ');
}

function describeTargets({ source, impactsAll, targetCount, targets }: TargetsAnswer): string {
  const more = targetCount > targets.length ? `, and ${targetCount - targets.length} more` : '';
  const names = impactsAll ? 'ALL' : `${targets.join(', ')}${more}` || 'none';
  return `${names} (${source === 'uploaded' ? 'uploaded' : 'computed from the configuration file'})`;
}

function priorityOf(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}
