// npm run test:extension: packs this project, installs it outside the tree with examples/acme-extension, and runs both
// as the extension's team would. The service is killed while pull requests pass through it. The extension must receive
// every change of every entry at least once, in order, under stable ids.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { readCommandLine } from '../support/command-line';
import { readConnectionFile } from '../../src/platform/database/open-database';
import { Journal } from './journal';
import { installExampleOutside, run } from './package-outside';
import { ServiceProcess } from './service-process';
import { Shop } from './shop';

const KILLS = 4;
const PULL_REQUESTS = 12;
/** Pull requests whose test fails. */
const BROKEN: readonly number[] = [5];
const CANCELLED = 9;
const LIMIT_MS = 150_000;
const MAIN = { repo: { host: 'local', owner: 'acme', name: 'shop' }, targetBranch: 'main' };

readCommandLine({
  script: 'test:extension',
  does: 'Installs the package outside the tree with an extension of another team, and kills the service while pull requests pass. Ends with 1 if the extension misses anything.',
});
const begun = performance.now();
const seconds = () => ((performance.now() - begun) / 1_000).toFixed(0);
const say = (text: string) => process.stdout.write(`${seconds().padStart(4)} s  ${text}\n`);

async function eventually<T>(what: string, look: () => Promise<T | false>, everyMs = 250): Promise<T> {
  let problem: Error | undefined;
  for (const end = performance.now() + LIMIT_MS; performance.now() < end; await after(everyMs)) {
    try {
      const found = await look();
      if (found !== false) return found;
    } catch (error) {
      problem = error as Error;
    }
  }
  throw new Error(`Did not happen: ${what}. ${problem?.message ?? ''}`);
}

function mustBe(what: string, is: unknown, expected: unknown): void {
  if (JSON.stringify(is) === JSON.stringify(expected)) return;
  throw new Error(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(expected)}`);
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: {
    readonly state: string;
    readonly enqueuedPullRequests: readonly unknown[];
    readonly error?: { code: string };
  };
}

class Team {
  constructor(
    public service: ServiceProcess,
    readonly token: string,
  ) {}

  async ask(path: string, body?: object, token: string | undefined = this.token): Promise<Answer> {
    const headers = { 'content-type': 'application/json', ...(token && { 'x-api-token': token }) };
    const request = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(`${this.service.url}${path}`, { ...request, headers });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, text, body: (isJson ? JSON.parse(text) : {}) as Answer['body'] };
  }

  /** The service may be killed during a submission. A repeated submission does not count twice. */
  submit(number: number): Promise<Answer> {
    return eventually(`pull request ${number} is submitted`, async () => {
      const answer = await this.ask('/v1/submitPullRequest', { ...MAIN, pr: { number } });
      return answer.status === 200 && answer;
    });
  }
}

async function checkExtensionPoints(team: Team): Promise<void> {
  const journal = '/v1/acme/journal';
  mustBe('the route without a token', (await team.ask(journal, undefined, '')).status, 401);
  mustBe('the route with a token', (await team.ask(journal)).text, '{"moves":[]}');
  const { paths } = JSON.parse((await team.ask('/openapi.json')).text) as { paths: object };
  mustBe(
    'the document',
    Object.keys(paths)
      .filter((path) => path.includes('acme'))
      .sort(),
    ['/v1/acme/hotfix', journal],
  );
  const ready = JSON.parse((await team.ask('/readyz')).text) as unknown;
  mustBe('the probe', JSON.stringify(ready).includes('"acme journal":"ok"'), true);
  const hotfix = (number: number) =>
    team.ask('/v1/acme/hotfix', { ...MAIN, pr: { number }, because: 'The shop is down.' });
  mustBe('a hotfix', (await hotfix(1)).status, 200);
  const second = await hotfix(2);
  mustBe('a hotfix past the setting', [second.status, second.body.error?.code], [409, 'ACME_TOO_MANY_HOTFIXES']);
}

async function main(): Promise<void> {
  const { folder, home } = installExampleOutside();
  say(`packed and installed in ${folder}`);
  run(folder, 'npm run --silent build');
  say('the example compiles against the package');
  const tests = run(folder, 'npm test');
  say(`its tests pass, the contract of code hosts among them: ${/^# pass (\d+)/m.exec(tests)?.[1] ?? '?'}`);

  const data = join(home, 'data');
  const environment = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', SLUICE_DATA_DIR: data, SLUICE_EXTENSIONS: './' },
    ...{ SLUICE_CHECK_RUNNER: 'on', SLUICE_EXT_ACME_HOTFIXES_PER_DAY: '1' },
  };
  const shop = new Shop(home, data);
  for (let number = 1; number <= PULL_REQUESTS; number++) {
    shop.open(number, { [BROKEN.includes(number) ? 'broken' : `file-${number}`]: `${number}\n` });
  }
  const service = await ServiceProcess.start(folder, environment);
  const sluice = (command: string) => run(folder, `node_modules/.bin/sluice ${command} --json`, environment);
  sluice('org create acme');
  const made = JSON.parse(sluice('token create --org acme --name team --role admin')) as { token: string };
  const team = new Team(service, made.token);
  mustBe('a queue', (await team.ask('/v1/createQueue', { ...MAIN, concurrency: 3 })).status, 200);
  await checkExtensionPoints(team);
  say('route, document, probe, tables, setting, error code and submission are as they must be');

  const journal = new Journal(() => readConnectionFile(data));
  const submitting = submitAll(team);
  await killWhileItWorks(team, journal, () => ServiceProcess.start(folder, environment));
  await submitting;
  await eventually('the queue is empty', async () => {
    const { body } = await team.ask('/v1/getQueue', MAIN);
    return body.enqueuedPullRequests.length === 0;
  });
  say('every pull request has concluded');
  await eventually('the listener has heard everything', () => journal.isComplete());
  const metrics = (await team.ask('/metrics')).text;
  mustBe('the metric', /^acme_moves_total\{state="merged"\} \d+/m.test(metrics), true);
  const result = await journal.compare();
  await team.service.stop();
  for (const problem of result.broken) say(`BROKEN: ${problem}`);
  const { events, entries, deliveries, broken } = result;
  const again = deliveries - events;
  say(
    `${events} events of ${entries} entries, ${KILLS} kills, ${again} delivered again, ${broken.length} broken promises`,
  );
  if (broken.length > 0 || entries !== PULL_REQUESTS) process.exitCode = 1;
  else rmSync(home, { recursive: true, force: true });
}

async function submitAll(team: Team): Promise<void> {
  for (let number = 2; number <= PULL_REQUESTS; number++) {
    await team.submit(number);
    await after(400);
  }
  await eventually('one is cancelled', async () => {
    const { status } = await team.ask('/v1/cancelPullRequest', { ...MAIN, pr: { number: CANCELLED } });
    return status === 200 || status === 409;
  });
}

/**
 * Kills the service right after the extension wrote a line. This often hits the time before the service stores the
 * listener's position.
 */
async function killWhileItWorks(team: Team, journal: Journal, restart: () => Promise<ServiceProcess>): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = await journal.count();
    const now = await eventually(
      'the extension hears something',
      async () => {
        const count = await journal.count();
        return count > before + 2 && count;
      },
      5,
    );
    await team.service.kill();
    say(`kill -9, number ${kill}, after ${now} events`);
    team.service = await restart();
  }
}

main().then(
  () => process.exit(),
  async (error: unknown) => {
    say(String((error as Error).stack ?? error));
    await ServiceProcess.stopAll();
    say('FAILED');
    process.exit(1);
  },
);
