import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SystemClock } from '../../platform/clock/clock';
import { ciVariables, type ClientSettings, readClientSettings } from '../../platform/config/client-settings';
import type { ServiceOptions } from '../answering';
import { CliError } from '../cli-error';
import { ciJobOf, nameOption } from './ci-job';
import { digestOf, findReports, nothingFound, type ReportFile, writtenSince } from './find-reports';
import { gitCheckout } from './git-checkout';
import { sendUpload, type UploadOutcome } from './send-upload';
import { stopLimitOf } from './stop-limit';
import { testsEndOf, readOutput, runTests, type TestsEnd } from './test-command';
import type { UploadRun } from './upload-ending';
import { count, UploadProgress } from './upload-progress';
import type { ToldUpload } from './upload-reply';
import { metadataOf, type SaidOfUpload, type UploadSource } from './upload-request';

export interface UploadOptions extends ServiceOptions, SaidOfUpload {
  readonly codeowners?: string;
  readonly testExitCode?: number;
  readonly testOutput?: string;
  readonly requireUpload?: true;
  /** False: the failures appear in the log only, not in the notes of CI. */
  readonly annotations?: boolean;
}

export interface AskedUpload {
  readonly patterns: readonly string[];
  /** The words after `--`. */
  readonly testCommand: readonly string[];
  readonly options: UploadOptions;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
  /** Whether the output is a screen. */
  readonly isScreen: boolean;
}

/** Runs the tests, if there is a command, and uploads their reports. */
export async function uploadRun(asked: AskedUpload): Promise<UploadRun> {
  const { patterns, options } = asked;
  requirePossible(asked);
  const folder = process.cwd();
  // The options are checked before the tests run, because tests take long.
  const prepared = await prepare(asked, folder);
  const policy = options.quarantine ? 'quarantine' : 'plain';
  const uploading = options.requireUpload ? 'required' : 'tried';
  const { tests, files } = await testsAndReports(asked, folder);
  const stopsAfter = stopLimitOf(asked.testCommand);
  const ended = { tests, policy, uploading, stopsAfter, told: prepared.told } as const;
  if (files.length === 0) return { ...ended, upload: { type: 'nothing', error: nothingFound(patterns, folder) } };
  return { ...ended, upload: await send(files, prepared, tests, asked.say) };
}

function requirePossible({ patterns, testCommand, options }: AskedUpload): void {
  if (patterns.length === 0) throw new CliError('The reports are missing: name them before the --.', { exit: 2 });
  if (testCommand.length === 0) return;
  if (options.testExitCode !== undefined) {
    const message =
      '--test-exit-code is for tests that ran before. Leave it out: the command after -- has an exit code of its own.';
    throw new CliError(message, { exit: 2 });
  }
  if (options.testOutput !== undefined) {
    const message =
      '--test-output is for tests that ran before. Leave it out: what the command after -- prints is seen as it comes.';
    throw new CliError(message, { exit: 2 });
  }
}

interface PreparedUpload {
  readonly told: ToldUpload;
  readonly settings: ClientSettings;
  readonly source: Omit<UploadSource, 'digest' | 'testExitCode' | 'runnerCounts'>;
  readonly codeOwners: string | undefined;
}

async function prepare({ options, patterns, testCommand }: AskedUpload, folder: string): Promise<PreparedUpload> {
  const variables = ciVariables();
  const checkout = await gitCheckout(folder);
  const organization = variables.SLUICE_ORG || undefined;
  const source = { said: options, job: ciJobOf(variables), checkout, organization, patterns, testCommand };
  const { repo, org_url_slug } = metadataOf({ ...source, digest: '', testExitCode: undefined, runnerCounts: [] });
  const codeOwners = findCodeOwners({ said: options.codeowners, folder, root: checkout.root, host: repo.host });
  const of = { repository: `${repo.host}/${repo.owner}/${repo.name}`, organization: org_url_slug };
  const told = { nameOption: nameOption(variables), ...of, now: new SystemClock().now() };
  return { settings: readClientSettings(options), source, codeOwners, told };
}

interface TestsAndReports {
  readonly tests: TestsEnd | undefined;
  readonly files: readonly ReportFile[];
}

async function testsAndReports(asked: AskedUpload, folder: string): Promise<TestsAndReports> {
  const { patterns, testCommand, options, say } = asked;
  if (testCommand.length === 0)
    return { tests: await endedBefore(options), files: await findReports(patterns, folder) };
  const before = await findReports(patterns, folder);
  if (options.quarantine && asked.isScreen)
    say('The output of the tests goes through sluice, so the tests do not write to a terminal.');
  const tests = await runTests(testCommand, options.quarantine ? 'watched' : 'own');
  const after = await findReports(patterns, folder);
  const files = writtenSince(before, after);
  const old = after.length - files.length;
  if (old > 0) say(`Left out: ${count(old, 'report')} of an earlier run.`);
  return { tests, files };
}

async function endedBefore({ testExitCode, testOutput }: UploadOptions): Promise<TestsEnd | undefined> {
  const output = testOutput === undefined ? {} : { output: await readOutput(testOutput) };
  return testExitCode === undefined ? undefined : { ...testsEndOf(testExitCode), ...output };
}

async function send(
  files: readonly ReportFile[],
  { settings, source, codeOwners }: PreparedUpload,
  tests: TestsEnd | undefined,
  say: (line: string) => void,
): Promise<UploadOutcome> {
  const progress = new UploadProgress(files, say);
  progress.begin(settings.url);
  try {
    const ended = { testExitCode: tests?.exit, runnerCounts: tests?.output?.runnerCounts ?? [] };
    const metadata = metadataOf({ ...source, digest: await digestOf(files), ...ended });
    const onSent = (file: ReportFile): void => progress.sent(file);
    const content = { metadata, isIdOfContent: source.said.uploadId === undefined, codeOwners, files };
    return await sendUpload(content, { settings, say, onSent });
  } catch (error) {
    // A failed upload must not hide the result of the tests.
    return { type: 'refused', error: error instanceof CliError ? error : new CliError(String(error)) };
  }
}

/** The paths of CODEOWNERS in the order in which each code host searches them; the first existing file counts. */
const GITHUB = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];
const GITLAB = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];

interface CodeOwnersPlace {
  /** The path that the command line names. */
  readonly said?: string;
  readonly folder: string;
  /** The root of the checkout. */
  readonly root?: string;
  readonly host: string;
}

/** The text of the CODEOWNERS file; undefined: no file. A file that the command line names must exist. */
function findCodeOwners({ said, folder, root, host }: CodeOwnersPlace): string | undefined {
  if (said !== undefined) return read(resolve(folder, said)) ?? missing(said);
  const places = /gitlab/i.test(host) ? [...GITLAB, ...GITHUB] : [...GITHUB, ...GITLAB];
  for (const place of places) {
    const found = read(join(root ?? folder, place));
    if (found !== undefined) return found;
  }
  return undefined;
}

function read(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : undefined;
}

function missing(said: string): never {
  throw new CliError(`There is no file ${said}.`, {
    exit: 2,
    next: 'Name the CODEOWNERS file, or leave --codeowners out.',
  });
}
