import { beginningOf } from './limits';
import { MalformedReport } from './malformed-report';

const KNOWN = 'JUnit, TRX, NUnit 3 and xUnit.net XML, CTRF, go test -json and TAP are';
const MAX_QUOTED_CHARACTERS = 80;

/**
 * The error for a file that may be well-formed, but is not a test report. @param what a description of the file for
 * people: `<coverage>`
 */
export function unknownReport(fileName: string, line: number, what: string): MalformedReport {
  return new MalformedReport(fileName, { line }, `${what} is not a test report; ${KNOWN}`);
}

export function quoted(text: string): string {
  return JSON.stringify(text.length <= MAX_QUOTED_CHARACTERS ? text : `${beginningOf(text, MAX_QUOTED_CHARACTERS)}…`);
}
