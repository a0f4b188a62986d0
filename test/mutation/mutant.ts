import type ts from 'typescript';

export type Rule = 'drop the step' | 'negate the guard' | 'shift the bound';

/** A piece of a file and what stands there instead. */
export interface Replacement {
  readonly rule: Rule;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One wrong program: the project with one piece of one file replaced. */
export interface Mutant {
  readonly rule: Rule;
  /** Relative to the project, with slashes. */
  readonly file: string;
  readonly line: number;
  /** The function or constant around it, outermost first: `whyRebuilt.isNew`. */
  readonly within: string;
  /** The lines it touches as one, the old piece as `[-…-]`, the new one as `{+…+}`. */
  readonly change: string;
  /** The whole file, changed. */
  readonly text: string;
}

/** Where a mutant is, told without a line number, so that a shifted line does not make it another one. */
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
