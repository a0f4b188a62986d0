import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { MOCHA_FAILING, MOST_OF_MOCHA, OUTSIDE_TESTS, PYTEST, PYTEST_TESTS_FAILED } from './runner-output';

/** A line is not read further than that. */
const MOST_LINE_CHARACTERS = 4_096;
const MOST_SHOWN_CHARACTERS = 200;

/** Reads the output of tests while it goes by, for failures that no report of tests holds. */
export class OutputWatch {
  private failure: string | undefined;
  private mochaFailing: number | undefined;
  private isPytest = false;

  /** For one of the streams; call `end` after its last piece. */
  stream(): LineReader {
    return new LineReader((line) => this.read(line));
  }

  /**
   * Why the command did not fail by its tests alone, as a sentence; undefined when nothing says so.
   * @param failed failed results in the reports
   */
  reasonBesidesTests(exit: number, failed: number): string | undefined {
    if (this.failure !== undefined) return `No report holds what the output says: "${this.failure}".`;
    if (this.isPytest && exit !== PYTEST_TESTS_FAILED) {
      return `pytest ends with ${PYTEST_TESTS_FAILED} when tests fail, and the command ended with ${exit}.`;
    }
    if (this.mochaFailing === undefined) return undefined;
    if (this.mochaFailing > failed)
      return `Mocha counts ${this.mochaFailing} failures, and the reports have ${failed}.`;
    if (exit === 1 || exit === Math.min(this.mochaFailing, MOST_OF_MOCHA)) return undefined;
    return `Mocha ends with the number of failures, which is ${this.mochaFailing}, and the command ended with ${exit}.`;
  }

  private read(line: string): void {
    const text = stripVTControlCharacters(line).trimEnd();
    if (text === '') return;
    if (this.failure === undefined && OUTSIDE_TESTS.some((pattern) => pattern.test(text))) {
      this.failure = text.trim().slice(0, MOST_SHOWN_CHARACTERS);
    }
    const failing = MOCHA_FAILING.exec(text)?.[1];
    if (failing !== undefined) this.mochaFailing = (this.mochaFailing ?? 0) + Number(failing);
    this.isPytest ||= PYTEST.test(text);
  }
}

/** Cuts a stream of bytes into lines. */
class LineReader {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  constructor(private readonly onLine: (line: string) => void) {}

  add(chunk: Buffer): void {
    const lines = (this.rest + this.decoder.write(chunk)).split(/\r?\n|\r/);
    this.rest = (lines.pop() ?? '').slice(0, MOST_LINE_CHARACTERS);
    for (const line of lines) this.onLine(line.slice(0, MOST_LINE_CHARACTERS));
  }

  end(): void {
    if (this.rest !== '') this.onLine(this.rest);
    this.rest = '';
  }
}
