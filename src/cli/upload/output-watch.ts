import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { CompleteRuns } from './complete-runs';
import { CountedRuns, type CountedByRunner } from './runner-counts';
import { MOST_OF_MOCHA, NOT_RUN, OUTSIDE_TESTS, PYTEST, PYTEST_TESTS_FAILED, RAN_AGAIN } from './runner-output';

/** The rest of a longer line is ignored. */
const MOST_LINE_CHARACTERS = 4_096;
const MOST_SHOWN_CHARACTERS = 200;

const FRAME_LINE = /^\s*>?\s*\d+\s*[|│](.*)$/;
const CARET = /^\s*[|│]\s+\^+\s*$/;
/** Vitest cuts long lines: `beforeEa…`. */
const HOOK = /\b(?:before|after)(?:(?:All|Each)\s*\(|\w*…$)/;
const TEST = /\b(?:test|it)(?:\.(?!before|after|describe)\w+)*\s*\(/;
const MOST_FRAME_LINES = 20;

/**
 * Finds code frames that point into a hook, as JavaScript runners print them: the line that failed, some lines above
 * it, and a caret below it.
 */
class CodeFrames {
  private lines: string[] = [];

  /** The first line of the hook, when `line` ends a code frame that points into a hook. */
  read(line: string): string | undefined {
    if (CARET.test(line)) return this.hookAbove();
    const code = FRAME_LINE.exec(line)?.[1];
    if (code === undefined) this.lines = [];
    else if (this.lines.length < MOST_FRAME_LINES) this.lines.push(code);
    return undefined;
  }

  private hookAbove(): string | undefined {
    for (const code of this.lines.toReversed()) {
      if (HOOK.test(code)) return code.trim();
      if (TEST.test(code)) return undefined;
    }
    return undefined;
  }
}

/** Reads the output of the tests as it arrives, to find failures that are in no report. */
export class OutputWatch {
  private failure: string | undefined;
  private notRun: string | undefined;
  private hook: string | undefined;
  private isPytest = false;
  private ranAgain = false;
  private readonly counted = new CountedRuns();
  private readonly complete = new CompleteRuns();

  /** The reader for one of the two output streams; call `end` after the last chunk of the stream. */
  stream(): LineReader {
    const frames = new CodeFrames();
    return new LineReader((line) => this.read(line, frames));
  }

  /** The counts in the last lines of the runners. */
  get runnerCounts(): readonly CountedByRunner[] {
    return this.counted.all;
  }

  /** Whether the runner ran failed tests again, and ends with 0 if each of them passed the last time. */
  get endsByLastAttempts(): boolean {
    return this.ranAgain && this.counted.all.every(({ runner }) => runner === 'gotestsum');
  }

  /** Whether the output shows that a limit of failures left out no test. */
  get hasRunAll(): boolean {
    return this.complete.areAll(this.counted.all.map(({ runner }) => runner));
  }

  /**
   * The reason why the failed tests do not explain the exit code, as a sentence; undefined: they explain it.
   * @param failed failed results in the reports
   */
  reasonBesidesTests(exit: number, failed: number): string | undefined {
    if (this.failure !== undefined) return `The output shows a failure that no report contains: "${this.failure}".`;
    if (this.hook !== undefined) return `The output shows the failure of a hook: "${this.hook}".`;
    if (this.notRun !== undefined) return `The output says that tests were not run: "${this.notRun}".`;
    const { notRun } = this.counted;
    if (notRun !== undefined) return `${notRun.runner} did not run ${notRun.count} of its tests or files.`;
    if (this.isPytest && exit !== PYTEST_TESTS_FAILED) {
      return `pytest ends with ${PYTEST_TESTS_FAILED} when tests fail, and the command ended with ${exit}.`;
    }
    const more = this.counted.moreThan(failed);
    if (more !== undefined) return `${more.runner} counts ${more.count} failures, and the reports have ${failed}.`;
    return this.reasonOfMocha(exit);
  }

  private reasonOfMocha(exit: number): string | undefined {
    const { failuresOfMocha: failing = 0 } = this.counted;
    if (failing === 0 || exit === 1 || exit === Math.min(failing, MOST_OF_MOCHA)) return undefined;
    return `Mocha ends with the number of failures, which is ${failing}, and the command ended with ${exit}.`;
  }

  private read(line: string, frames: CodeFrames): void {
    const text = stripVTControlCharacters(line).trimEnd();
    const hook = frames.read(text);
    if (hook !== undefined) this.hook ??= shown(hook);
    if (text === '') return;
    if (this.failure === undefined && OUTSIDE_TESTS.some((pattern) => pattern.test(text))) this.failure = shown(text);
    if (this.notRun === undefined && NOT_RUN.some((pattern) => pattern.test(text))) this.notRun = shown(text);
    this.isPytest ||= PYTEST.test(text);
    this.ranAgain ||= RAN_AGAIN.test(text);
    this.counted.read(text);
    this.complete.read(text);
  }
}

function shown(text: string): string {
  return text.trim().slice(0, MOST_SHOWN_CHARACTERS);
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
