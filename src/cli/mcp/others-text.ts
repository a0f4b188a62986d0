const MOST_TEXT = 400;
export const MOST_LOG = 20_000;
const MOST_ITEMS = 100;
const MOST_CHARACTERS = 60_000;
const MOST_SAID = 1_000;
const CUT = '… [cut]';

/** Fields with long texts of the service or of a program. */
const LONG_FIELDS: Readonly<Record<string, number>> = {
  message: 2_000,
  waitingFor: 2_000,
  stack: 4_000,
  log: MOST_LOG,
};
/** Fields that an agent returns unchanged. */
const TOKENS = /cursor|page_token$/i;

/** Every character that is not printed, or that reverses the text direction, except line breaks and tabs. */
const UNSEEN = /[^\P{C}\n\t]/gu;

/** The answer for an agent: `cut` names the omitted parts. */
export interface BoundedData {
  readonly data: Record<string, unknown>;
  readonly cut: readonly string[];
}

/**
 * An answer of the service for an agent. Other people write titles, names, branches, messages and logs. So the length
 * of each text, of each list and of the whole answer is bounded, and hidden characters are removed.
 */
export function boundedData(answer: object): BoundedData {
  for (let share = 1; ; share /= 2) {
    const cut: string[] = [];
    const data = bounded(answer, '', { share, cut }) as Record<string, unknown>;
    if (share * MOST_ITEMS < 1 || JSON.stringify(data).length <= MOST_CHARACTERS) return { data, cut };
  }
}

/** A sentence of the service as part of a sentence of the tool: in quotation marks, on one line. */
export function quotedSentence(text: string): string {
  return JSON.stringify(shortened(visible(text).replace(/\s+/g, ' '), MOST_SAID));
}

/** The text on one line, because an error may repeat text of other people. */
export function onOneLine(text: string): string {
  return shortened(visible(text).replace(/\s+/g, ' '), MOST_SAID);
}

interface Limits {
  /** The share of every limit: halved until the whole answer is short enough. */
  readonly share: number;
  readonly cut: string[];
}

function bounded(value: unknown, path: string, limits: Limits): unknown {
  const name = path.replace(/^.*\./, '');
  if (typeof value === 'string') {
    if (TOKENS.test(name)) return value;
    return shortened(visible(value), Math.ceil((LONG_FIELDS[name] ?? MOST_TEXT) * limits.share));
  }
  if (Array.isArray(value)) {
    const most = Math.ceil(MOST_ITEMS * limits.share);
    if (value.length > most) limits.cut.push(`${path}: the first ${most} of ${value.length}`);
    return value.slice(0, most).map((item) => bounded(item, path, limits));
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([field, own]) => {
    return [field, bounded(own, path === '' ? field : `${path}.${field}`, limits)] as const;
  });
  return Object.fromEntries(fields);
}

function visible(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSEEN, '\u{fffd}');
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - CUT.length))}${CUT}`;
}
