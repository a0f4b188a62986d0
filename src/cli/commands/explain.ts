import type { Command } from 'commander';
import type { RepositoryName } from '../../platform/repository-name';
import { askingService, type ServiceOptions } from '../answering';
import { parseNumber, parseRepository, REPOSITORY } from '../arguments';
import type { StoryAnswer } from '../picture-answers';
import { lengthOf } from '../picture-lines';
import type { Terminal } from '../terminal';

interface Options extends ServiceOptions {
  readonly branch: string;
}

/** The current position of a pull request, its history, and its time by phase. */
export function addExplainCommand(program: Command, terminal: Terminal): void {
  const explain = program
    .command('explain')
    .description('explain a pull request: what it waits for, its timeline, where its time went')
    .argument(...REPOSITORY, parseRepository)
    .argument('<number>', 'number of the pull request', parseNumber)
    .option('--branch <branch>', 'target branch of the queue', 'main');
  askingService<Options>(explain, terminal, async ({ args, options }, api) => {
    const [repo, number] = args as [RepositoryName, number];
    const asked = { repo, targetBranch: options.branch, pr: { number } };
    const story = await api.post<StoryAnswer>('getPullRequestStory', asked);
    return { data: story, lines: storyLines(story) };
  });
}

function storyLines(story: StoryAnswer): string[] {
  const { pullRequest, runPhase, attempt, submittedAt, waitingFor, message, time, items } = story;
  const { prNumber, prTitle, eta } = pullRequest;
  const isPassed = pullRequest.state === 'testing' && runPhase === 'passed';
  const state = isPassed ? 'passed, not merged yet' : pullRequest.state;
  const why = waitingFor ?? message;
  return [
    `#${prNumber} ${prTitle}: ${state ?? 'unknown'}`,
    ...(why === null ? [] : [`  ${why}`]),
    ...(eta === null ? [] : [`  expected to end about ${eta.p50}, and with 90 % probability by ${eta.p90}`]),
    '',
    `Attempt ${attempt}, submitted ${submittedAt}`,
    ...timeLines(time),
    '',
    'Timeline, newest first',
    ...items.flatMap(({ at, sentence, evidence }) => [`  ${at}  ${sentence}`, ...evidenceLines(evidence)]),
  ];
}

function timeLines({ lost, ...time }: StoryAnswer['time']): string[] {
  const parts = [
    [time.notReadyMs, 'not ready'],
    [time.waitingMs, 'waiting for a test'],
    [time.testedMs, 'in tests that counted'],
    [time.lostMs, 'in wasted tests'],
    [time.decidedMs, 'waiting with a result'],
  ] as const;
  const because = lost.map(({ ms, becauseOf, runNumber }) => {
    const whom = becauseOf.map((number) => `#${number}`).join(', ');
    return `    run ${runNumber}, ${lengthOf(ms)}${whom === '' ? '' : `, because of ${whom}`}`;
  });
  return [...parts.flatMap(([ms, what]) => (ms === 0 ? [] : [`  ${lengthOf(ms)} ${what}`])), ...because];
}

function evidenceLines(evidence: StoryAnswer['items'][number]['evidence']): string[] {
  if (evidence === null) return [];
  return [
    ...evidence.redStatuses.map(({ name, url }) => `      red: ${name}${url === '' ? '' : ` (${url})`}`),
    ...evidence.failedTests.map(({ name, status, quarantined }) => {
      return `      failed: ${name} (${quarantined ? 'quarantined' : status === 'healthy' ? 'not known to fail' : `known to be ${status}`})`;
    }),
  ];
}
