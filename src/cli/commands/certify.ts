import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { CertifiedKind, CertifyResult, CertifyRow, TestedServer, WebhookListener } from '../certify-work';
import { CliError } from '../cli-error';
import { certifyWork } from '../loaded-later';
import type { Terminal } from '../terminal';

interface Options {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly secondTokenFile?: string;
  readonly organization?: string;
  readonly thisIsATestServer?: true;
  readonly only?: string;
  readonly runnerLabel?: string;
  readonly webhookUrl?: string;
  readonly runFile: string;
  readonly report: string;
  readonly cleanUp?: string;
  readonly json?: true;
}

const RUN_FILE = 'sluice-certify.run.jsonl';
const REPORT = 'sluice-certify.report.json';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Exits with 0 if every intended row passed, with 3 if a row differs, and with 4 if a row was cut short or something is
 * left on the server.
 */
export function addCertifyCommand(program: Command, terminal: Terminal): void {
  program
    .command('certify')
    .description(
      'try a code host of your own: contract and stories, in repositories that this command makes and removes',
    )
    .argument('[kind]', 'gitea (also for Forgejo), github or gitlab')
    .option('--url <address>', 'address of the server')
    .option('--token-file <file>', 'token of the account that makes the repositories')
    .option(
      '--this-is-a-test-server',
      'make an organization and users on the server; needs a token of an administrator',
    )
    .option('--organization <name>', 'create only repositories, in this organization')
    .option(
      '--second-token-file <file>',
      'with --organization: token of a second account, which writes reviews and comments',
    )
    .option('--runner-label <label>', 'label of a CI runner, for the rows that need CI')
    .option('--webhook-url <address>', 'address of this machine that the server reaches, for the rows about webhooks')
    .option('--only <words>', 'only rows with these words in their titles')
    .option('--run-file <file>', 'file in which the command notes everything before making it', RUN_FILE)
    .option('--report <file>', 'file for the report', REPORT)
    .option('--clean-up <file>', 'only remove the objects that are left of the run in this run file')
    .option('--json', 'answer in JSON, for programs')
    .action((kind: string | undefined, options: Options) =>
      options.cleanUp === undefined ? run(terminal, kind, options) : removeLeft(terminal, options.cleanUp, options),
    );
}

async function run(terminal: Terminal, kindSaid: string | undefined, options: Options): Promise<void> {
  const { certify, exitOf, rowLine, silenceAdapters } = certifyWork();
  const kind = kindIn(kindSaid);
  const token = tokenIn('--token-file', options.tokenFile);
  const url = addressIn(options.url);
  const { organization = null, runFile, report } = options;
  if ((organization === null) === (options.thisIsATestServer === undefined)) {
    throw usage(
      'Give either --this-is-a-test-server or --organization.',
      'This keeps certify from using a production server as a test server.',
    );
  }
  requireFinished(runFile);
  const rows = rowsFor(options.only);
  silenceAdapters();
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const { secondTokenFile, runnerLabel = null } = options;
  const secondToken = secondTokenFile === undefined ? null : tokenIn('--second-token-file', secondTokenFile);
  const listener = await listenerAt(options.webhookUrl);
  try {
    const result = await refusing(runFile, async () =>
      certify({
        ...{
          server: await serverFor(kind, url, token),
          rows,
          runFile,
          token,
          secondToken,
          organization,
          runnerLabel,
          listener,
        },
        signal: stop.signal,
        onRow: (row, done, all) =>
          terminal.err(`${String(done).padStart(String(all).length)}/${all}  ${rowLine(row)}\n`),
      }),
    );
    writeFileSync(report, `${JSON.stringify(result, null, 2)}\n`);
    print(terminal, result, options);
    const exit = exitOf(result);
    if (exit !== 0) throw unlike(result, exit, options);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await listener?.close();
  }
}

async function removeLeft(terminal: Terminal, path: string, { tokenFile, json }: Options): Promise<void> {
  const { cleanUp } = certifyWork();
  const read = reading(path);
  if (read === null) throw new CliError(`There is no run file ${path}.`, { code: 'NOT_FOUND' });
  const token = tokenIn('--token-file', tokenFile);
  const { kind, url, run: id } = read.facts;
  const kept = await refusing(path, async () => cleanUp(await serverFor(kindIn(kind), url, token), path));
  const removed = read.left.length - kept.length;
  const lines = kept.map(({ name, why }) => `LEFT        ${name}: ${why}`);
  const said = [...lines, `Run ${id} at ${url}: ${removed} removed, ${kept.length} left.`];
  terminal.out(json ? `${JSON.stringify({ run: id, removed, kept }, null, 2)}\n` : `${said.join('\n')}\n`);
  if (kept.length > 0) {
    throw new CliError(`${kept.length} left.`, {
      exit: 4,
      code: 'LEFT',
      next: 'Look at each object on the server, and manually delete the objects of this run.',
    });
  }
}

function print(terminal: Terminal, result: CertifyResult, { json, report }: Options): void {
  if (json) return terminal.out(`${JSON.stringify(result, null, 2)}\n`);
  terminal.out(`${[...certifyWork().summaryOf(result), `The report with all exchanges is ${report}.`, ''].join('\n')}`);
}

function unlike({ rows, kept }: CertifyResult, exit: number, { report, runFile }: Options): CliError {
  const count = (type: string): number => rows.filter(({ outcome }) => outcome.type === type).length;
  if (count('differs') > 0) {
    const next = `Next: read the exchange of each row in ${report}, and report it to the developers of Sluice. Do not use this server for a queue before that.`;
    return new CliError(`${count('differs')} rows differ.`, { exit, code: 'DIFFERS', next });
  }
  if (kept.length > 0) {
    const next = `Next: sluice certify --clean-up ${runFile} --token-file <file>`;
    return new CliError(`${kept.length} things are left at the server.`, { exit, code: 'LEFT', next });
  }
  const next = `Next: read in ${report} why, and run sluice certify again.`;
  return new CliError(`${count('cut_short')} rows were cut short, ${count('passed')} passed.`, {
    exit,
    code: 'CUT_SHORT',
    next,
  });
}

/**
 * Explains the failure when a server refuses or does not answer, and names the run file if something is left on the
 * server.
 */
async function refusing<T>(runFile: string, work: () => Promise<T>): Promise<T> {
  const { readRunFile, StepRefused } = certifyWork();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StepRefused)) throw error;
    const isLeft = (readRunFile(runFile)?.left.length ?? 0) > 0;
    const next = isLeft
      ? `Some things are left on the server. Next: sluice certify --clean-up ${runFile} --token-file <file>`
      : undefined;
    throw new CliError(error.message, { code: 'REFUSED', next });
  }
}

/** The listener for webhooks; null: the command line names no address for it. */
function listenerAt(address: string | undefined): Promise<WebhookListener | null> {
  if (address === undefined) return Promise.resolve(null);
  if (!/^https?:\/\/[^/]+\/?$/.test(address))
    throw usage('--webhook-url is an address without a path, such as http://10.0.0.7:8099.');
  return certifyWork().WebhookListener.open(address);
}

function requireFinished(path: string): void {
  const read = reading(path);
  if (read === null || (read.isFinished && read.left.length === 0)) return;
  const { left, facts } = read;
  throw new CliError(`${path} is of run ${facts.run} at ${facts.url}, which did not finish and left ${left.length}.`, {
    code: 'UNFINISHED',
    next: `Next: sluice certify --clean-up ${path} --token-file <file>`,
  });
}

function reading(path: string) {
  const { readRunFile, RunFileUnreadable } = certifyWork();
  try {
    return readRunFile(path);
  } catch (error) {
    if (error instanceof RunFileUnreadable) throw usage(error.message);
    throw error;
  }
}

function serverFor(kind: CertifiedKind, url: string, token: string): Promise<TestedServer> {
  return certifyWork().testedServer(kind, url, token);
}

function rowsFor(only: string | undefined): readonly CertifyRow[] {
  const { contractRows, rowsWith, STORIES } = certifyWork();
  const rows = [...STORIES, ...contractRows()];
  const found = only === undefined ? rows : rowsWith(rows, only);
  if (found.length === 0) throw usage(`No row has the words ${only}.`);
  return found;
}

function kindIn(said: string | undefined): CertifiedKind {
  const kind = certifyWork().certifiedKindIn(said ?? '');
  if (kind === null)
    throw usage(
      `certify tries servers of the kinds gitea, github and gitlab, and none of the kind ${said ?? 'that is missing'}.`,
    );
  return kind;
}

function tokenIn(option: string, file: string | undefined): string {
  if (file === undefined) throw usage(`${option} is missing.`);
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (token !== '') return token;
  } catch {
    throw usage(`${option}: ${file} cannot be read.`);
  }
  throw usage(`${option}: ${file} is empty.`);
}

/** Tokens are sent to this URL, so plain HTTP is only allowed to this machine. */
function addressIn(said: string | undefined): string {
  if (said === undefined) throw usage('--url is missing.');
  const url = URL.canParse(said) ? new URL(said) : null;
  const isHere = url !== null && LOOPBACK.includes(url.hostname);
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  if (url === null || !isFit || url.username !== '')
    throw usage('--url is an https:// address, or http:// on this machine.');
  return said;
}

function usage(message: string, next?: string): CliError {
  return new CliError(message, { exit: 2, next });
}
