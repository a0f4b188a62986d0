import type { Reply } from '../reply';
import { knownInWords, nextCommand, testTitle } from './failure-words';
import { logLine } from './others-text';
import type { FailedTest, UploadAnswer } from './send-upload';
import { count } from './upload-progress';

const MOST_LISTED = 20;

/** The exit code of the command and the reason for it, if the service's answer decides the exit code. */
interface Verdict {
  readonly exit?: number;
  readonly because?: string;
}

/** The context of an upload's reply. */
export interface ToldUpload {
  /** The option to add if jobs of a matrix have one name. */
  readonly nameOption: string;
  /** `host/owner/name` */
  readonly repository: string;
  /** The slug of the organization. */
  readonly organization: string;
  readonly now: Date;
}

/** The result of an upload. Names and messages of tests are foreign text. */
export function replyOf(answer: UploadAnswer, verdict: Verdict, told: ToldUpload): Reply {
  const { results } = answer;
  const stored = answer.status === 'stored' ? 'Stored' : 'Already stored';
  const failures = (fits: (test: FailedTest) => boolean) => answer.failures.filter(fits);
  const isRetried = ({ quarantined, known }: FailedTest) => !quarantined && known?.passed_on_retry === true;
  const failed = failures((test) => !test.quarantined && !isRetried(test));
  const [retried, quarantined] = [failures(isRetried), failures((test) => test.quarantined)];
  const describe = (test: FailedTest): readonly string[] => {
    const known = knownInWords(test, told.now);
    return known === undefined ? [testTitle(test)] : [testTitle(test), known];
  };
  const { refused_files: refused, missing_tests: missing } = answer;
  const next = verdict.exit === 0 ? undefined : nextCommand(answer, told);
  return {
    data: { ...answer, ...verdict },
    ...(next === undefined ? {} : { next }),
    lines: [
      `${stored}: ${count(results.total, 'result')}, ${results.passed} passed, ${results.failed} failed, ${results.skipped} skipped.`,
      ...standingOf(answer),
      ...listOf('Refused, and not stored', refused.map(describeRefused), answer.refused_files_total),
      ...listOf('Warning: no test is in', answer.empty_files, answer.empty_files.length),
      ...listOf('Failed', failed.map(describe), failed.length),
      ...listOf('Failed, and passed on a retry', retried.map(describe), retried.length),
      ...listOf('Failed, and quarantined', quarantined.map(describe), quarantined.length),
      ...listOf(
        'Missing tests, present in earlier runs of this job',
        missing.map(describeMissing),
        answer.missing_tests_total,
      ),
      ...setAside(answer.tests_set_aside),
      ...severalConditions(answer.shared_tests, told.nameOption),
      ...newPart(answer, verdict),
      // With another exit code, the error message contains the reason.
      ...(verdict.exit === 0 && verdict.because !== undefined ? [verdict.because] : []),
    ].map(logLine),
  };
}

/** A line about the use of the results, if they do not count for monitors or come from a pull request. */
function standingOf({ counted, branch_class }: UploadAnswer): string[] {
  if (!counted) {
    return [
      'Not counted: so many healthy tests of this commit failed together that the machines are the likely cause.',
    ];
  }
  return branch_class === 'pull_request'
    ? ['Results of a pull request: they quarantine no test on other branches.']
    : [];
}

function setAside(tests: number): string[] {
  if (tests === 0) return [];
  const these = tests === 1 ? '1 new test is' : `${tests} new tests are`;
  const why = 'stored under one name, and never quarantined: the repository has too many tests.';
  return [`Warning: ${these} ${why} Give tests names that do not change from run to run.`];
}

/** Advice to give jobs, or tests, different names. */
function severalConditions({ same_part, other_parts }: UploadAnswer['shared_tests'], nameOption: string): string[] {
  const lines: string[] = [];
  if (same_part > 0) {
    const what = `${testsAre(same_part)} in another upload of this attempt, too.`;
    const until = 'Until the two jobs have different names, re-runs seldom show that a test is flaky.';
    const how = `For jobs of a matrix add ${nameOption}; for shares of the tests --shard; for a second try in this step --attempt 2.`;
    lines.push(`Warning: ${what} ${until} ${how}`);
  }
  if (other_parts > 0) {
    const what = `${testsAre(other_parts)} in the reports of another command of this job, too.`;
    lines.push(
      `Warning: ${what} Tests with the same name count as one test: tell them apart with --variant, or by their names.`,
    );
  }
  return lines;
}

/**
 * Advice to name the part of the job. It is also printed without failures, because the next failure is ignored only if
 * the service knows to which job this run belongs.
 */
function newPart({ doubts }: UploadAnswer, { exit, because }: Verdict): string[] {
  const found = doubts.find(({ kind, message }) => kind === 'no_earlier_run' && message.includes('--part'));
  // With another exit code, the error message contains the reason.
  const isSaid = because !== undefined && exit !== 0;
  return found === undefined || isSaid ? [] : [`Warning: ${found.message}`];
}

function testsAre(tests: number): string {
  return tests === 1 ? '1 of these tests is' : `${tests} of these tests are`;
}

/** `items`: each item is a line, or several lines of which the first is the name. */
function listOf(heading: string, items: readonly (string | readonly string[])[], total: number): string[] {
  if (items.length === 0) return [];
  const listed = items.slice(0, MOST_LISTED).map((item) => (typeof item === 'string' ? [item] : item));
  const lines = listed.flatMap(([name, ...behind]) => [`  ${name}`, ...behind.map((line) => `    ${line}`)]);
  const more = total - listed.length;
  return [`${heading}:`, ...lines, ...(more === 0 ? [] : [`  and ${more} more`])];
}

function describeRefused({ file, line, reason }: UploadAnswer['refused_files'][number]): string {
  return `${file}${line === null ? '' : `, line ${line}`}: ${reason}`;
}

function describeMissing({ last_seen: { commit, job_url }, ...test }: UploadAnswer['missing_tests'][number]): string {
  return `${testTitle(test)}, last seen at ${commit.slice(0, 12)}${job_url === '' ? '' : `, ${job_url}`}`;
}
