import type { ConflictingFiles, QueueSnapshot, SuspectRun, TestRun, WrongTree } from '../model';
import { HOUR, type Instant, MINUTE } from '../vocabulary';
import { plain, type Quote, shortened } from './markdown';

/** The longest list of pull requests that a sentence names; of a longer list, it gives the number. */
const NAMED_AT_MOST = 8;
const FILES_AT_MOST = 20;
const LONGEST_FILE = 200;

export function pullRequests(numbers: readonly number[]): string {
  return numbers.length > NAMED_AT_MOST ? `${numbers.length} pull requests` : list(numbers);
}

export function numbersIn(run: TestRun): readonly number[] {
  return run.own.map((change) => change.number);
}

function list(numbers: readonly number[]): string {
  return numbers.map((number) => `#${number}`).join(', ');
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

export function agreeing(them: readonly unknown[], one: string, several: string): string {
  return them.length === 1 ? one : several;
}

/** "on top of" these pull requests, after a space; empty without numbers. */
export function onTopOf(numbers: readonly number[]): string {
  return numbers.length === 0 ? '' : ` on top of ${pullRequests(numbers)}`;
}

/**
 * The names of conflicting files, after a space. Empty without files, for example if the histories are unrelated, or if
 * git gave up the merge. Only some files are named, because a pull request may conflict in thousands of files and a
 * host refuses such a long text.
 */
export function inFiles(files: readonly string[], quote: Quote = plain): string {
  if (files.length === 0) return '';
  const named = files.slice(0, FILES_AT_MOST).map((file) => quote(shortened(file, LONGEST_FILE)));
  return ` in ${named.join(', ')}${files.length > FILES_AT_MOST ? ' and others' : ''}`;
}

/** The files of a conflict as in `inFiles`, with the reasons. */
export function inConflict({ files, reasons = {} }: ConflictingFiles, quote: Quote = plain): string {
  const why = (file: string): string => (Object.hasOwn(reasons, file) ? ` (${reasons[file]})` : '');
  if (files.length === 0) return why('');
  const named = files.slice(0, FILES_AT_MOST).map((file) => `${quote(shortened(file, LONGEST_FILE))}${why(file)}`);
  return ` in ${named.join(', ')}${files.length > FILES_AT_MOST ? ' and others' : ''}`;
}

/**
 * A sentence without a full stop about a code host that merged pull requests and wrote another tree than a merge gives.
 */
export function wrongContent({ host }: QueueSnapshot, wrong: readonly WrongTree[], quote: Quote = plain): string {
  const each = wrong.map(({ number, commit, files }) => `#${number} as ${short(commit)}${differing(files, quote)}`);
  return `${host} merged the wrong content: ${each.join(', ')}`;
}

function differing(files: readonly string[], quote: Quote): string {
  const named = inFiles(files, quote).replace(/^ in /, '');
  return named === '' ? '' : ` (${named} ${agreeing(files, 'differs', 'differ')} from the tested tree)`;
}

const LONGEST_TEST = 100;

/** The names of the flaky tests in brackets, after a space; empty without names. Names of tests are untrusted text. */
export function testsIn({ tests, hasMore }: Pick<SuspectRun, 'tests' | 'hasMore'>, quote: Quote): string {
  const named = tests.map((test) => quote(shortened(test.replace(/[\p{Cc}\s]+/gu, ' ').trim(), LONGEST_TEST)));
  return named.length === 0 ? '' : ` (${named.join(', ')}${hasMore ? ' and others' : ''})`;
}

/**
 * The other pull requests with which, and on top of which, pull request `number` is tested. Starts with a space, or is
 * empty.
 */
export function company(run: { readonly own: readonly number[]; readonly builtOn: readonly number[] }, number: number) {
  const others = run.own.filter((other) => other !== number);
  const batch = others.length === 0 ? '' : ` in one batch with ${pullRequests(others)}`;
  return [batch, onTopOf(run.builtOn)].filter((part) => part !== '').join(',');
}

export function short(commit: string): string {
  return commit.slice(0, 8);
}

export function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** "for" this length of time, after a space; empty below a minute. */
export function forLength(length: Instant): string {
  return length < MINUTE ? '' : ` for ${duration(length)}`;
}

export function duration(length: Instant): string {
  const minutes = Math.max(0, Math.floor(length / MINUTE));
  if (minutes === 0) return 'less than a minute';
  if (length >= 2 * HOUR) return `${Math.round(length / HOUR)} hours`;
  return counted(minutes, 'minute');
}
