import type { FailedTestOfRun, FailedTestsOfRun, SaidByFailure } from '../pull-request-view-facts';
import { code, codes, shortened } from '../wording/markdown';

type PublicUrl = string | null | undefined;

const LONGEST_NAME = 160;
const MOST_OWNERS = 5;
const MOST_IN_WORDS = 3;
const MOST_SAID = 3;
const MOST_MESSAGE_LINES = 3;
const MOST_STACK_LINES = 5;
const LONGEST_LINE = 300;

/** A table for the comment: the failed tests of the last test run, with their known status and their owners. */
export function failedTestsTable(failed: FailedTestsOfRun | null, publicUrl?: PublicUrl): readonly string[] {
  if (failed === null || failed.total === 0) return [];
  const { total, tests, areMachinesLikely } = failed;
  const more = total > tests.length ? [`| … and ${total - tests.length} more | | | |`] : [];
  const rows = tests.map(
    (test) =>
      `| ${placeOf(test)} | ${knownAs(test)}${linkOf(test, publicUrl)} | ${sinceOf(test)} | ${ownersOf(test)} |`,
  );
  return [
    `The reports of its last test run have ${total === 1 ? '1 failed test' : `${total} failed tests`}:`,
    ['| Failed test | Known as | Since | Owners |', '| --- | --- | --- | --- |', ...rows, ...more].join('\n'),
    ...failed.said.slice(0, MOST_SAID).flatMap(saidBy),
    ...(areMachinesLikely ? ['So many tests failed together that the machines are the likely cause.'] : []),
  ];
}

/** The message and source of a failure as a code block: none of its text is Markdown. */
function saidBy({ test, message, stack }: SaidByFailure): readonly string[] {
  const first = linesOf(message).slice(0, MOST_MESSAGE_LINES);
  const behind = linesOf(stack).filter((line) => !first.includes(line));
  const lines = [...first, ...behind.slice(0, MOST_STACK_LINES)];
  if (lines.length === 0) return [];
  const runs = lines.flatMap((line) => [...(line.match(/`+/g) ?? [])]);
  const longest = Math.max(2, ...runs.map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [`${placeOf(test)}:\n\n${fence}text\n${lines.join('\n')}\n${fence}`];
}

function linesOf(text: string): readonly string[] {
  const lines = text
    .split(/[\n\r\u2028\u2029]/)
    .map((line) => shortened(line.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trimEnd(), LONGEST_LINE));
  return lines.filter((line) => line.trim() !== '');
}

/** The failed tests in one plain sentence, for other places than the comment. */
export function failedTestsInWords(failed: FailedTestsOfRun): string {
  const shown = failed.tests.slice(0, MOST_IN_WORDS).map((test) => {
    const since = sinceOf(test);
    return `"${oneLine(test.name)}" (${knownAs(test)}${since === '' ? '' : ` since ${since}`})`;
  });
  if (failed.total > shown.length) shown.push(`and ${failed.total - shown.length} more`);
  return `Failed tests: ${shown.join(', ')}.`;
}

function placeOf({ name, classname, parent, file, variant }: FailedTestOfRun): string {
  const place = [file, classname || parent].find((known) => known !== '' && known !== name);
  const words = [name, variant === '' ? '' : `(${variant})`].filter(Boolean).map(oneLine).join(' ');
  return place === undefined ? code(words) : `${code(words)} in ${code(oneLine(place))}`;
}

/**
 * Before a monitor is active, the status of a test is `healthy` even if it always fails, so a failed test is never
 * called healthy.
 */
function knownAs({ status, quarantined }: FailedTestOfRun): string {
  const known = status === 'healthy' ? [] : [status];
  const words = quarantined ? [...known, 'quarantined'] : known;
  return words.join(', ') || 'not known to fail';
}

/** Links to the page that asks whether to quarantine the test. */
function linkOf({ id, quarantined }: FailedTestOfRun, publicUrl: PublicUrl): string {
  return publicUrl && !quarantined ? `, [Quarantine…](${publicUrl}/ui/tests/${id}?quarantine=always)` : '';
}

/** The date since which the status is known; empty for a test without a known status. */
function sinceOf({ status, quarantined, since }: FailedTestOfRun): string {
  return status === 'healthy' && !quarantined ? '' : since.slice(0, 10);
}

function ownersOf({ owners }: FailedTestOfRun): string {
  const more = owners.length > MOST_OWNERS ? [`and ${owners.length - MOST_OWNERS} more`] : [];
  return [codes(owners.slice(0, MOST_OWNERS).map(oneLine)), ...more].filter(Boolean).join(' ');
}

/**
 * The text comes from untrusted reports: it is kept on one line, and short enough to leave space for the other tests.
 */
function oneLine(text: string): string {
  return shortened(text.replace(/[\p{Cc}\s]+/gu, ' ').trim(), LONGEST_NAME);
}
