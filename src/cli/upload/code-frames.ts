const FRAME_LINE = /^\s*>?\s*\d+\s*[|│](.*)$/;
const CARET = /^\s*[|│]\s+\^+\s*$/;
/** Vitest cuts long lines: `beforeEa…`. */
const HOOK = /\b(?:before|after)(?:(?:All|Each)\s*\(|\w*…$)/;
const TEST = /\b(?:test|it)(?:\.(?!before|after|describe)\w+)*\s*\(/;
const MOST_LINES = 20;

/**
 * Finds frames of code that point into a hook, as runners of JavaScript print them: the line that failed, some lines above it, and
 * a caret below it.
 */
export class CodeFrames {
  private lines: string[] = [];

  /** The line of the hook, when `line` ends a frame that points into one. */
  read(line: string): string | undefined {
    if (CARET.test(line)) return this.hookAbove();
    const code = FRAME_LINE.exec(line)?.[1];
    if (code === undefined) this.lines = [];
    else if (this.lines.length < MOST_LINES) this.lines.push(code);
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
