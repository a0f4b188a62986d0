import type ts from 'typescript';

export type Rule = 'drop the step' | 'negate the guard' | 'shift the bound';

/** A piece of a file and its replacement. */
export interface Replacement {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A mutant: the project with one piece of one file replaced. */
export interface Mutant {
  readonly rule: Rule;
  /** The path of the file relative to the project root, with slashes. */
  readonly file: string;
  readonly line: number;
  /** The enclosing functions or constants, outermost first: `whyRebuilt.isNew`. */
  readonly within: string;
  /** The changed lines joined to one line, with the old piece as `[-…-]` and the new piece as `{+…+}`. */
  readonly change: string;
  /** The whole changed file. */
  readonly text: string;
}

/** The identity of a mutant. The identity has no line number, so that it stays the same when lines shift. */
export type MutantKey = Pick<Mutant, 'file' | 'within' | 'change'>;

export function keyOf({ file, within, change }: MutantKey): string {
  return `${file} in ${within}: ${change}`;
}

export function toMutant(file: ts.SourceFile, within: string, replacement: Replacement): Mutant {
  const { rule, start, end, text } = replacement;
  const whole = file.text;
  return {
    rule,
    file: file.fileName,
    line: file.getLineAndCharacterOfPosition(start).line + 1,
    within,
    change: changeAsOneLine(whole, replacement),
    text: whole.slice(0, start) + text + whole.slice(end),
  };
}

function changeAsOneLine(whole: string, { start, end, text }: Replacement): string {
  const lineEnd = whole.indexOf('\n', end);
  const before = whole.slice(whole.lastIndexOf('\n', start - 1) + 1, start);
  const after = whole.slice(end, lineEnd < 0 ? whole.length : lineEnd);
  const old = whole.slice(start, end);
  return `${before}[-${old}-]{+${text}+}${after}`.replace(/\s+/g, ' ').trim();
}
