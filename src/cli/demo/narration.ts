import { npmScript } from '../../platform/config/client-settings';
import type { Terminal } from '../terminal';
import { DEMO_REPO, type DemoService } from './demo-service';
import { git } from './git';
import { DEMO_BRANCH, DEMO_LEFT_OPEN, DEMO_PULL_REQUESTS } from './pull-requests';
import type { DemoAct } from './acts';
import type { DemoCheck } from './check-demo';

export function sayBeginning(terminal: Terminal, bare: string): void {
  say(terminal, [
    'A merge queue at work: it tests every pull request together with those ahead of it, and moves the target branch',
    'only to commits that passed. Six acts: a line, a batch with a culprit; such a batch in flow, a stack, an outage; and two',
    'lanes. Then a flaky test.',
    '',
    `The repository, with ${DEMO_PULL_REQUESTS.length} pull requests: ${bare}`,
  ]);
}

/** Where neither users nor namespaces can be had for checks. */
export function sayUnconfined(terminal: Terminal): void {
  say(terminal, [
    '',
    'This machine has neither users nor namespaces for checks, so they run with the rights of the service',
    '(SLUICE_CHECK_RUNNER=unconfined). A service of yours would not do that unless told to: see sluice doctor.',
  ]);
}

export function sayAct(terminal: Terminal, { title, says }: DemoAct): void {
  say(terminal, ['', `== ${title}`, ...says, '']);
}

/** `before`: how many the same took in the act before; null: it was another one. */
export function sayTestRuns(terminal: Terminal, count: number, before: number | null): void {
  const compared = before === null ? '' : `; in order the same took ${before}`;
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
    `Its test, run again on every tree that ${DEMO_BRANCH} ever pointed at (by git's own reflog):`,
    '',
    ...rows,
    '',
    ...(wrong.length === 0
      ? ['Everything ended as expected.']
      : ['Not as expected:', ...wrong.map((what) => `  ${what}`)]),
  ]);
}

/** Commands are those of who started the demo: an installed package has no scripts of npm. */
export function sayHowToGoOn(
  terminal: Terminal,
  { url, token }: Pick<DemoService, 'url' | 'token'>,
  afterwards: 'ends' | 'stays',
  script = npmScript(),
): void {
  const commands =
    script === 'demo'
      ? { stay: 'npm run demo -- --stay', serve: 'npm start' }
      : { stay: 'sluice demo --stay', serve: 'sluice serve' };
  const body = { repo: DEMO_REPO, targetBranch: DEMO_BRANCH, pr: { number: 1 }, includeTimeline: true };
  const goOn = {
    stays: [
      `Swagger UI   ${url}/docs   (Authorize with the token, then try any operation)`,
      `             Open and not yet submitted: ${DEMO_LEFT_OPEN.map(({ number }) => `#${number}`).join(', ')}`,
      `Token        ${token}`,
      '',
      `curl -s ${url}/v1/getSubmittedPullRequest -H 'x-api-token: ${token}' \\`,
      `  -H 'content-type: application/json' -d '${JSON.stringify(body)}'`,
      '',
      'Ctrl-C stops the service and removes everything that it made.',
    ],
    ends: [
      `To try it yourself: ${commands.stay}`,
      '  It keeps the service running, and prints the address of its Swagger UI, a token and a first curl.',
      `To serve repositories of your own: ${commands.serve}`,
    ],
  };
  say(terminal, ['', ...goOn[afterwards]]);
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
