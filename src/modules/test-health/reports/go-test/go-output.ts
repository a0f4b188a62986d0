import { MAX_ATTRIBUTE_CHARACTERS } from '../limits';
import type { ReportedFailure } from '../reported-result';

/** Lines that the testing package prints around the output of a test. */
const FRAME =
  /^(?:=== (?:RUN|PAUSE|CONT|NAME|ATTR|ARTIFACTS) |\s*--- (?:PASS|FAIL|SKIP|BENCH): |(?:PASS|FAIL|ok)\s|(?:PASS|FAIL)$|exit status \d)/;

export function isFrame(output: string): boolean {
  return FRAME.test(output);
}

/** A panic ends the whole package, so the tests around the crashed test have no end event. */
export function isCrash(output: string): boolean {
  return /^(?:panic: |fatal error: |unexpected fault address|SIG[A-Z]+: )/m.test(output);
}

/** Keeps the beginning and the end of the output, because one of them contains the cause. */
export function append(before: string, output: string): string {
  const text = before + output;
  if (text.length <= MAX_ATTRIBUTE_CHARACTERS) return text;
  const quarter = MAX_ATTRIBUTE_CHARACTERS / 4;
  return `${text.slice(0, quarter)}\n… (cut)\n${text.slice(-2 * quarter)}`;
}

/** The position of a test message: `cart_test.go:18: `. */
const PLACE = /^[^\s:]+\.go:\d+(?::\d+)?:\s*/;
const MAX_MESSAGE_LINES = 20;

/** The message is the crash, or else the text at the last position. Log lines come before that text. */
export function failureOf(output: string): ReportedFailure {
  const lines = output.split('\n').map((line) => line.trim());
  const crash = lines.findIndex((line) => isCrash(line));
  const place = lines.findLastIndex((line) => PLACE.test(line));
  const start = crash >= 0 ? crash : Math.max(0, place);
  const said = lines
    .slice(start, start + MAX_MESSAGE_LINES)
    .map((line) => line.replace(PLACE, ''))
    // Testify prints first the position, then the message.
    .filter((line) => line !== '' && !line.startsWith('Error Trace:'));
  return { message: (crash >= 0 ? said.slice(0, 1) : said).join('\n'), text: output.trim() };
}
