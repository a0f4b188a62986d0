/** A line of TAP, without its indentation. */
export type TapLine =
  | { readonly is: 'version' | 'pragma' | 'end of block' | 'other' }
  | { readonly is: 'plan'; readonly tests: number }
  | { readonly is: 'subtest' | 'comment' | 'bail out'; readonly text: string }
  | TapPoint;

export interface TapPoint {
  readonly is: 'point';
  readonly isOk: boolean;
  readonly number: number | null;
  readonly description: string;
  /** With either directive a failure does not count. */
  readonly directive: 'skip' | 'todo' | null;
  readonly durationMs: number | null;
  /** Whether the point's subtest follows, in braces. */
  readonly opensBlock: boolean;
}

const POINT = /^(not )?ok\b(?:\s+(\d+)\b)?(.*)$/;
const BLOCK = /\s\{$/;
const DIRECTIVE = /(?:^|\s)#\s*(skip|todo)\b/i;
const TIME = /(?:^|\s)#\s*time=([\d.]+)(ms|s)?/;

export function tapLine(text: string): TapLine {
  if (/^TAP version \d+$/.test(text)) return { is: 'version' };
  if (text === '}') return { is: 'end of block' };
  const plan = /^1\.\.(\d{1,9})(?:\s|$)/.exec(text);
  if (plan !== null) return { is: 'plan', tests: Number(plan[1]) };
  const subtest = /^# Subtest(?:: (.*))?$/.exec(text);
  if (subtest !== null) return { is: 'subtest', text: unescaped(subtest[1] ?? '') };
  if (text.startsWith('#')) return { is: 'comment', text: text.slice(1).trim() };
  if (text.startsWith('Bail out!')) return { is: 'bail out', text: text.slice('Bail out!'.length).trim() };
  if (/^pragma [+-]/.test(text)) return { is: 'pragma' };
  const point = POINT.exec(text);
  return point === null ? { is: 'other' } : pointOf(point);
}

function pointOf([, not, number, rest = '']: RegExpExecArray): TapPoint {
  const opensBlock = BLOCK.test(rest);
  const said = opensBlock ? rest.replace(BLOCK, '') : rest;
  const directive = DIRECTIVE.exec(said);
  const time = TIME.exec(said);
  const end = Math.min(...[directive, time].map((found) => found?.index ?? said.length));
  return {
    is: 'point',
    isOk: not === undefined,
    number: number === undefined ? null : Number(number),
    description: unescaped(
      said
        .slice(0, end)
        .trim()
        .replace(/^-(?:\s+|$)/, ''),
    ),
    directive: directive === null ? null : (directive[1]?.toLowerCase() as 'skip' | 'todo'),
    durationMs: time === null ? null : Number(time[1]) * (time[2] === 's' ? 1_000 : 1),
    opensBlock,
  };
}

function unescaped(text: string): string {
  return text.replace(/\\([#\\])/g, '$1');
}
