import type { Command } from 'commander';
import { ciVariables } from '../../platform/config/client-settings';
import { formatOf, withServiceOptions } from '../answering';
import { parseNumber, parseRepository } from '../arguments';
import { printReply } from '../reply';
import type { Invocation } from '../invocation';
import type { Terminal } from '../terminal';
import type { UploadOptions } from '../upload/upload-run';

const POLICY = `
Exit code without --quarantine: the exit code of the tests if they failed, else 0. It is 1 if the service refused the
reports. If the service does not answer, or without a token, it is the exit code of the tests. With --require-upload it
is 1 in these cases, and if only some of the reports could be read.

Exit code with --quarantine: 0 if the tests exited with 0, or if only quarantined tests failed. Else it is the exit code
of the tests. It is also the exit code of the tests if something else may have failed:
  - a report is missing or cannot be read
  - tests are missing that the last runs of this job had
  - tests were cut off, or something failed outside tests
  - the output reports a missed coverage threshold, or a count (such as errors) higher than in runs that exited with 0
  - the tests were killed, or the service did not answer

The exit code of the tests comes from the command after --, or from --test-exit-code. Their output comes from the
command after --, or from --test-output. If neither is given, failures are never ignored.`;

export function addUploadCommand(program: Command, terminal: Terminal, { wordsAfterDashes }: Invocation): void {
  const testCommand = wordsAfterDashes;
  const upload = withWhatTheyBelongTo(program.command('upload'))
    .option('--quarantine', 'exit with 0 if only quarantined tests failed')
    .option('--test-exit-code <number>', 'exit code of tests that ran before', parseNumber)
    .option(
      '--test-output <file>',
      'file with the output (standard output and standard error) of tests that ran before',
    )
    .option('--require-upload', 'exit with 1 unless every report was stored')
    .option(
      '--no-annotations',
      'report failed tests in the log only: no job summary, annotation or code quality report',
    )
    .option('--json', 'answer in JSON, for programs')
    .addHelpText('after', POLICY);
  withServiceOptions(upload).action(async (operands: readonly string[], options: UploadOptions) => {
    // commander appends the words after -- to the patterns.
    const patterns = operands.slice(0, operands.length - testCommand.length);
    const say = (line: string): void => terminal.err(`${line}\n`);
    const isScreen = terminal.columns !== undefined;
    const { uploadRun } = require('../upload/upload-run') as typeof import('../upload/upload-run');
    const { endingOf } = require('../upload/upload-ending') as typeof import('../upload/upload-ending');
    const { writeNotes } = require('../upload/ci-notes') as typeof import('../upload/ci-notes');
    const run = await uploadRun({ patterns, testCommand, options, say, isScreen });
    const { reply, warning, failure } = endingOf(run);
    if (reply !== undefined) printReply(terminal, reply, formatOf(options));
    if (run.upload.type === 'uploaded' && options.annotations !== false) {
      await writeNotes(run.upload.answer, { env: ciVariables(), folder: process.cwd(), say, now: run.told.now });
    }
    if (warning !== undefined) terminal.err(`sluice: ${warning}\n`);
    if (failure !== undefined) throw failure;
  });
}

function withWhatTheyBelongTo(upload: Command): Command {
  return upload
    .description('upload test reports; with --quarantine, ignore failures of quarantined tests')
    .argument(
      '<patterns...>',
      "reports: patterns such as 'reports/**/*.xml', files or folders; a test command after -- runs first",
    )
    .option('--repo <repository>', 'host/owner/name; default: from CI, else from the remote origin', parseRepository)
    .option('--org <slug>', 'the organization; default: SLUICE_ORG')
    .option('--commit <id>', 'commit that was tested; default: from CI, else HEAD')
    .option('--branch <branch>', 'branch that was tested; default: from CI, else the branch that is checked out')
    .option('--pr <number>', 'pull request that was tested; default: from CI', parseNumber)
    .option('--variant <name>', 'name that tells this run from other runs of the same tests, such as linux')
    .option('--job <name>', 'name of the CI job, the same in each of its runs; default: from CI')
    .option('--shard <share>', 'which share of the tests of the job this is, such as 2/4; default: from CI')
    .option(
      '--part <name>',
      'name that tells uploads of one job apart; default: made of the patterns and the test command',
    )
    .option(
      '--attempt <number>',
      'number of the attempt, if a step runs its tests again; default: the attempt of the job, from CI',
    )
    .option('--job-url <address>', 'address of the job, for people; default: from CI')
    .option(
      '--upload-id <id>',
      'a second upload with the same id changes nothing; default: made of the job and the reports',
    )
    .option('--codeowners <file>', 'CODEOWNERS file; default: where GitHub and GitLab look for it');
}
