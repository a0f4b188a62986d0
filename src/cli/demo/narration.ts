import { npmScript } from '../../platform/config/client-settings';
import type { Terminal } from '../terminal';
import { DEMO_REPO } from './demo-service';
import { git } from './git';
import { DEMO_BRANCH, DEMO_LEFT_OPEN, DEMO_PULL_REQUESTS } from './pull-requests';
import type { DemoAct } from './acts';
import type { DemoCheck } from './check-demo';

export function sayBeginning(terminal: Terminal, bare: string): void {
  say(terminal, [
    'A merge queue at work: it tests every pull request together with those ahead of it, and moves the target branch',
    'only to commits that passed. Six acts: sequential tests, a batch with a culprit, the same batch with flow scheduling, a stack, an',
    'outage, and parallel mode. Then a flaky test.',
    '',
    `The repository, with ${DEMO_PULL_REQUESTS.length} pull requests: ${bare}`,
  ]);
}

/** Printed on machines that cannot isolate checks by users or namespaces. */
export function sayUnconfined(terminal: Terminal): void {
  say(terminal, [
    '',
    'This machine offers neither users nor namespaces for checks, so they run with the rights of the service',
    '(SLUICE_CHECK_RUNNER=unconfined). A real service does this only if you configure it: see sluice doctor.',
  ]);
}

export function sayAct(terminal: Terminal, { title, says }: DemoAct): void {
  say(terminal, ['', `== ${title}`, ...says, '']);
}

/** `before`: the number of test runs of the previous act with the same pull requests; null: there was no such act. */
export function sayTestRuns(terminal: Terminal, count: number, before: number | null): void {
  const compared = before === null ? '' : `; with sequential scheduling the same took ${before}`;
  say(terminal, ['', `This took ${count} test run${count === 1 ? '' : 's'}${compared}.`]);
}

export async function sayDemoCheck(terminal: Terminal, { trees, wrong }: DemoCheck, bare: string): Promise<void> {
  const graph = await git(bare, ['log', '--graph', '--format=%h %s (%an)', DEMO_BRANCH]);
  const rows = trees.map(
    ({ commit, verdict, said, subject }) => `  ${commit.slice(0, 7)} ${verdict}: ${said} · ${subject}`,
  );
  say(terminal, [
    '',
    `The target branch, ${DEMO_BRANCH}:`,
    '',
    graph,
    '',
    `The test of the repository, run again on every tree that ${DEMO_BRANCH} ever pointed at (by git's own reflog):`,
    '',
    ...rows,
    '',
    ...(wrong.length === 0
      ? ['Everything ended as expected.']
      : ['Not as expected:', ...wrong.map((what) => `  ${what}`)]),
  ]);
}

/** A demo whose service continues to run. */
export interface StayingDemo {
  readonly url: string;
  readonly token: string;
  /** The way to sign in to the page: a link on a terminal, a command elsewhere. */
  readonly signIn: string;
}

/**
 * `demo`: null when the service ends with the demo. Commands have the form of an npm script if an npm script started
 * the demo.
 */
export function sayHowToGoOn(terminal: Terminal, demo: StayingDemo | null, script = npmScript()): void {
  say(terminal, ['', ...(demo === null ? waysOnAfterwards(script) : waysOnWith(demo))]);
}

function waysOnWith({ url, token, signIn }: StayingDemo): readonly string[] {
  const body = { repo: DEMO_REPO, targetBranch: DEMO_BRANCH, pr: { number: 1 }, includeTimeline: true };
  return [
    `Page         ${url}/ui`,
    `Sign in      ${signIn}`,
    `Swagger UI   ${url}/docs   (Authorize with the token, then try any operation)`,
    `             Open and not yet submitted: ${DEMO_LEFT_OPEN.map(({ number }) => `#${number}`).join(', ')}`,
    `Token        ${token}`,
    '',
    `curl -s ${url}/v1/getSubmittedPullRequest -H 'x-api-token: ${token}' \\`,
    `  -H 'content-type: application/json' -d '${JSON.stringify(body)}'`,
    '',
    'Ctrl-C stops the service and removes everything that it made.',
  ];
}

function waysOnAfterwards(script: string | undefined): readonly string[] {
  const isClone = script === 'demo';
  return [
    `To look at the page: ${isClone ? 'npm run demo -- --stay' : 'sluice demo --stay'}`,
    '  It keeps the service running, and prints the URL of the page, a link to sign in, a token and a first curl.',
    `To serve repositories of your own: ${isClone ? 'npm start' : 'sluice serve'}`,
  ];
}

export function sayFlakyTest(terminal: Terminal): void {
  say(terminal, [
    '',
    '== A flaky test',
    'CI uploads its JUnit reports. A test that failed and passed on one commit is flaky. While it is quarantined, its',
    'failures do not count.',
    '',
  ]);
}

export function sayLines(terminal: Terminal, lines: readonly string[]): void {
  say(terminal, lines);
}

function say(terminal: Terminal, lines: readonly string[]): void {
  terminal.out(`${lines.join('\n')}\n`);
}
