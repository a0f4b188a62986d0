import type { Command } from 'commander';
import { ciVariables } from '../../platform/config/client-settings';
import { type ClientSettings, readClientSettings } from '../../platform/config/client-settings';
import { formatOf, type ServiceOptions, withServiceOptions } from '../answering';
import { parseNumber, parseRepository } from '../arguments';
import { CliError } from '../cli-error';
import { printReply } from '../reply';
import type { Terminal } from '../terminal';
import { ciJobOf } from '../upload/ci-job';
import { findCodeOwners } from '../upload/code-owners-file';
import { digestOf, findReports, nothingFound, type ReportFile, writtenSince } from '../upload/find-reports';
import { gitCheckout } from '../upload/git-checkout';
import { sendUpload, type UploadOutcome } from '../upload/send-upload';
import { endOf, runTests, type TestsEnd } from '../upload/test-command';
import { endingOf, type UploadRun } from '../upload/upload-ending';
import { count, UploadProgress } from '../upload/upload-progress';
import { metadataOf, type SaidOfUpload, type UploadSource } from '../upload/upload-request';

interface Options extends ServiceOptions, SaidOfUpload {
  readonly codeowners?: string;
  readonly quarantine?: true;
  readonly testExitCode?: number;
}

const POLICY = `
Exit code without --quarantine: that of the tests if they failed, else 0 if the reports were stored.

Exit code with --quarantine: 0 if the tests ended with 0 or every failed test is quarantined, else that of the tests.
It is also that of the tests if a failure may be missing from the reports: no report was written, none has a failure,
the tests were killed, or the service refused the reports or did not answer.

The exit code of the tests is that of the command after --, or --test-exit-code. If neither is given, --quarantine
takes 0 if the reports have results and no failure, else 1.`;

/** @param testCommand the words after `--`; commander appends them to the patterns. */
export function addUploadCommand(program: Command, terminal: Terminal, testCommand: readonly string[]): void {
  const upload = program
    .command('upload')
    .description('upload test reports; with --quarantine, ignore failures of quarantined tests')
    .argument(
      '<patterns...>',
      "reports: patterns such as 'reports/**/*.xml', files or folders; a test command after -- runs first",
    )
    .option('--repo <repository>', 'host/owner/name; default: from CI, else from the remote origin', parseRepository)
    .option('--org <slug>', 'the organization; default: SLUICE_ORG')
    .option('--commit <id>', 'commit that was tested; default: from CI, else HEAD')
    .option('--branch <branch>', 'branch that was tested; default: from CI, else the one checked out')
    .option('--pr <number>', 'pull request that was tested; default: from CI', parseNumber)
    .option('--variant <name>', 'name that tells this run from other runs of the same tests, such as linux')
    .option('--job <name>', 'name of the CI job, the same in each of its runs; default: from CI')
    .option('--shard <share>', 'which share of the tests of the job this is, such as 2/4; default: from CI')
    .option('--job-url <address>', 'address of the job, for people; default: from CI')
    .option(
      '--upload-id <id>',
      'a second upload with the same id changes nothing; default: made of the job and the reports',
    )
    .option('--codeowners <file>', 'CODEOWNERS file; default: where GitHub and GitLab look for it')
    .option('--quarantine', 'exit with 0 if every failed test is quarantined')
    .option('--test-exit-code <number>', 'exit code of tests that ran before', parseNumber)
    .option('--json', 'answer in JSON, for programs')
    .addHelpText('after', POLICY);
  withServiceOptions(upload).action(async (operands: readonly string[], options: Options) => {
    const patterns = operands.slice(0, operands.length - testCommand.length);
    const run = await uploadRun({ patterns, testCommand, options, say: (line) => terminal.err(`${line}\n`) });
    const { reply, warning, failure } = endingOf(run);
    if (reply !== undefined) printReply(terminal, reply, formatOf(options));
    if (warning !== undefined) terminal.err(`sluice: ${warning}\n`);
    if (failure !== undefined) throw failure;
  });
}

interface Asked {
  readonly patterns: readonly string[];
  readonly testCommand: readonly string[];
  readonly options: Options;
  readonly say: (line: string) => void;
}

async function uploadRun(asked: Asked): Promise<UploadRun> {
  const { patterns, testCommand, options } = asked;
  if (patterns.length === 0) throw new CliError('The reports are missing: name them before the --.', { exit: 2 });
  if (testCommand.length > 0 && options.testExitCode !== undefined) {
    const message =
      '--test-exit-code is for tests that ran before. Leave it out: the command after -- has an exit code of its own.';
    throw new CliError(message, { exit: 2 });
  }
  const folder = process.cwd();
  // Check the options before the tests run, because tests take long.
  const prepared = await prepare(options, folder);
  const policy = options.quarantine ? 'quarantine' : 'plain';
  const { tests, files } = await testsAndReports(asked, folder);
  if (files.length === 0) return { tests, policy, upload: { type: 'nothing', error: nothingFound(patterns, folder) } };
  return { tests, policy, upload: await send(files, prepared, asked.say) };
}

interface Prepared {
  readonly settings: ClientSettings;
  readonly source: Omit<UploadSource, 'digest'>;
  readonly codeOwners: string | undefined;
}

async function prepare(options: Options, folder: string): Promise<Prepared> {
  const variables = ciVariables();
  const checkout = await gitCheckout(folder);
  const organization = variables.SLUICE_ORG || undefined;
  const source = { said: options, job: ciJobOf(variables), checkout, organization };
  const { host } = metadataOf({ ...source, digest: '' }).repo;
  const codeOwners = findCodeOwners({ said: options.codeowners, folder, root: checkout.root, host });
  return { settings: readClientSettings(options), source, codeOwners };
}

interface TestsAndReports {
  readonly tests: TestsEnd | undefined;
  readonly files: readonly ReportFile[];
}

async function testsAndReports(asked: Asked, folder: string): Promise<TestsAndReports> {
  const { patterns, testCommand, options, say } = asked;
  const given = options.testExitCode;
  if (testCommand.length === 0) {
    return { tests: given === undefined ? undefined : endOf(given), files: await findReports(patterns, folder) };
  }
  const before = await findReports(patterns, folder);
  const tests = await runTests(testCommand);
  const after = await findReports(patterns, folder);
  const files = writtenSince(before, after);
  const old = after.length - files.length;
  if (old > 0) say(`Left out: ${count(old, 'report')} of an earlier run.`);
  return { tests, files };
}

async function send(
  files: readonly ReportFile[],
  { settings, source, codeOwners }: Prepared,
  say: (line: string) => void,
): Promise<UploadOutcome> {
  const progress = new UploadProgress(files, say);
  progress.begin(settings.url);
  try {
    const metadata = metadataOf({ ...source, digest: await digestOf(files) });
    const onSent = (file: ReportFile): void => progress.sent(file);
    const content = { metadata, isIdOfContent: source.said.uploadId === undefined, codeOwners, files };
    return await sendUpload(content, { settings, say, onSent });
  } catch (error) {
    // A failed upload must not hide how the tests ended.
    return { type: 'refused', error: error instanceof CliError ? error : new CliError(String(error)) };
  }
}
