import type { Reply } from '../reply';
import type { UploadAnswer } from './send-upload';
import { count } from './upload-progress';

const MOST_LISTED = 20;

/** What an upload did. `verdict`: how the command ends, and why, where the service's answer decides it. */
export function replyOf(answer: UploadAnswer, verdict: { readonly exit?: number; readonly because?: string }): Reply {
  const { total, passed, failed, skipped } = answer.results;
  const stored = answer.status === 'stored' ? 'Stored' : 'Stored before';
  const failures = (quarantined: boolean) => answer.failures.filter((failure) => failure.quarantined === quarantined);
  const { refused_files: refused, missing_tests: missing } = answer;
  return {
    data: { ...answer, ...verdict },
    lines: [
      `${stored}: ${count(total, 'result')}, ${passed} passed, ${failed} failed, ${skipped} skipped.`,
      ...standingOf(answer),
      ...listOf('Refused, and not stored', refused.map(describeRefused), answer.refused_files_total),
      ...listOf('Warning: no test is in', answer.empty_files, answer.empty_files.length),
      ...listOf('Failed', failures(false).map(describe), failures(false).length),
      ...listOf('Failed, and quarantined', failures(true).map(describe), failures(true).length),
      ...listOf('Missing, but in earlier runs of this job', missing.map(describeMissing), answer.missing_tests_total),
      ...setAside(answer.tests_set_aside),
      // Else the error says it.
      ...(verdict.exit === 0 && verdict.because !== undefined ? [verdict.because] : []),
    ],
  };
}

/** What the results count for, where that is not everything. */
function standingOf({ counted, branch_class }: UploadAnswer): string[] {
  if (!counted) {
    return [
      'Left out of judgement: so many healthy tests of this commit failed together that the machines are the likely cause.',
    ];
  }
  return branch_class === 'pull_request' ? ['Of a pull request: they quarantine no test elsewhere.'] : [];
}

function setAside(tests: number): string[] {
  if (tests === 0) return [];
  const these = tests === 1 ? '1 new test is' : `${tests} new tests are`;
  const why = 'stored under one name, and never quarantined: the repository has too many tests.';
  return [`Warning: ${these} ${why} Give tests names that do not change from run to run.`];
}

function listOf(heading: string, lines: readonly string[], total: number): string[] {
  if (lines.length === 0) return [];
  const listed = lines.slice(0, MOST_LISTED).map((line) => `  ${line}`);
  const more = total - listed.length;
  return [`${heading}:`, ...listed, ...(more === 0 ? [] : [`  and ${more} more`])];
}

function describeRefused({ file, line, reason }: UploadAnswer['refused_files'][number]): string {
  return `${file}${line === null ? '' : `, line ${line}`}: ${reason}`;
}

function describeMissing({ last_seen: { commit, job_url }, ...test }: UploadAnswer['missing_tests'][number]): string {
  return `${describe(test)}, last seen at ${commit.slice(0, 12)}${job_url === '' ? '' : `, ${job_url}`}`;
}

interface Described {
  readonly name: string;
  readonly classname: string;
  readonly parent: string;
  readonly file: string;
}

function describe({ name, classname, parent, file }: Described): string {
  const of = classname || parent;
  return [of, name].filter(Boolean).join(' › ') + (file === '' ? '' : ` (${file})`);
}
