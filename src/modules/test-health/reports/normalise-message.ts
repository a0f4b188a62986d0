import { beginningOf } from './limits';
import type { ReportedFailure } from './reported-result';
import { withoutColours, withoutVaryingParts } from './varying-parts';
import { withoutSecrets } from './without-secrets';

const MAX_CHARACTERS = 300;
/**
 * The number of characters that are read at each end of a message or a stack. No summary contains a part of the middle.
 */
const READ_CHARACTERS = 4_000;

/** Lines that say only that or where something failed, but not how. Failures are grouped by the following line. */
const SAY_NOTHING: readonly RegExp[] = [
  /^(?:the |an? )?(?:test )?(?:fail|failed|failure|error|errored|exception|assertion failed)[.:!]*$/i,
  /^[\w.]*\b(?:AssertionError|AssertionFailedError)[.:!]*$/,
  /^(?:null|undefined|none)$/i,
  /^● Test suite failed to run$/,
  // The name of the test, which PHPUnit writes first
  /^[\w\\]+::\w+(?: with data set .*)?$/,
  // A position: error.cpp:12, /app/a.php(12), at com.acme.Foo.bar(Foo.java:12)
  /^(?:at )?\S+\.\w+(?::\d+(?::\d+)?|\(\d+\))$/,
  /^at \S+ ?\([^()]*\)$/,
];

const STACK_OF_PYTHON = /^Traceback \(most recent call last\):?$/;
const RAISED_IN_PYTHON = /^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Failed)\b/;

/**
 * Lines that name a comparison. The compared values are in the following lines. Without the values, all failed
 * comparisons would be one group.
 */
const COMPARISONS: readonly RegExp[] = [
  /^(?:[\w.]*Error: )?expect\([^()]*(?:\([^()]*\)[^()]*)?\)\.\w/,
  /^Expected equality of these values:?$/,
];
const COMPARED = /^(?:Expected|Received|Actual|Locator|Which is)\b[^:]{0,60}: ?\S|^[-+] (?!Expected\b|Received\b)\S/;
const PLACE_IN_STACK = /^at \S/;
/** The number of searched lines after a comparison, and of lines that go into the summary. */
const LINES_BEHIND = 30;
const COMPARED_LINES = 3;

/**
 * The line by which failures are grouped. Equal failures on different days have equal lines. Empty: the failure has no
 * useful line.
 */
export function normaliseMessage({ message, text }: ReportedFailure): string {
  const lines = [...linesOf(beginningOf(message, READ_CHARACTERS)), ...linesOf(beginningOf(text, READ_CHARACTERS))];
  const line = lines.find(saysSomething) ?? lines[0] ?? '';
  const summary = STACK_OF_PYTHON.test(line) ? (lastRaised(`${message}\n${text}`) ?? line) : withCompared(line, lines);
  const normal = withoutVaryingParts(withoutSecrets(summary));
  return normal.length <= MAX_CHARACTERS ? normal : `${beginningOf(normal, MAX_CHARACTERS - 1)}…`;
}

function saysSomething(line: string): boolean {
  return !SAY_NOTHING.some((pattern) => pattern.test(line));
}

function withCompared(line: string, lines: readonly string[]): string {
  if (!COMPARISONS.some((pattern) => pattern.test(line))) return line;
  const first = lines.indexOf(line) + 1;
  const behind = lines.slice(first, first + LINES_BEHIND);
  const stack = behind.findIndex((other) => PLACE_IN_STACK.test(other));
  const compared = (stack === -1 ? behind : behind.slice(0, stack)).filter((other) => COMPARED.test(other));
  return [line, ...[...new Set(compared)].slice(0, COMPARED_LINES)].join(' ');
}

/** Returns the last raised error of a Python stack: Python writes it last. */
function lastRaised(stack: string): string | undefined {
  return linesOf(stack.slice(-READ_CHARACTERS)).findLast((line) => RAISED_IN_PYTHON.test(line));
}

/** The lines with a letter or a digit, without empty lines and rulers. */
function linesOf(text: string): string[] {
  return withoutColours(text)
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}
