export type TextFormat = 'xml' | 'json' | 'go-test' | 'tap';

/** Enough to skip messages of npm, make and downloads that a file has before its report. */
export const MAX_HEAD_CHARACTERS = 65_536;
/** The beginning of a JSON object within which go test events are recognized. */
const TELLING_CHARACTERS = 512;

const GO_EVENT = /^\{\s*"(?:Time|Action|Package|ImportPath|Test)"\s*:/;
/** The keys with which CTRF writers begin. */
const CTRF_BEGINNING = /^\s*\{\s*"(?:reportFormat|specVersion|reportId|results)"\s*:/;
const TAP_LINE = /^\s*(?:TAP version \d+|1\.\.\d+|(?:not )?ok\b|Bail out!|# Subtest: )/;

/**
 * The format of a text by its beginning; file names do not count. `more`: the beginning is too short to decide.
 * @param isWhole nothing follows
 */
export function recognise(head: string, isWhole: boolean): TextFormat | 'more' | 'unknown' {
  const start = head.search(/\S/);
  if (start < 0) return isWhole || head.length > MAX_HEAD_CHARACTERS ? 'unknown' : 'more';
  const isAllThere = isWhole || head.length > MAX_HEAD_CHARACTERS;
  if (head[start] === '<') return 'xml';
  if (head[start] === '[') return 'json';
  if (head[start] === '{') {
    const line = lineAt(head, start);
    if (line === null && !isAllThere && head.length - start < TELLING_CHARACTERS) return 'more';
    return GO_EVENT.test(head.slice(start, start + TELLING_CHARACTERS)) ? 'go-test' : 'json';
  }
  for (let at = start; at < head.length;) {
    const line = lineAt(head, at) ?? (isAllThere ? head.slice(at) : null);
    if (line === null) return 'more';
    if (GO_EVENT.test(line.slice(0, TELLING_CHARACTERS))) return 'go-test';
    if (TAP_LINE.test(line)) return 'tap';
    at += line.length + 1;
  }
  return isAllThere ? 'unknown' : 'more';
}

/** Whether JSON begins like a report of a known format; most JSON files of a folder are no reports. */
export function beginsLikeReport(head: string): boolean {
  const text = head.replace(/^\ufeff/, '').trimStart();
  return GO_EVENT.test(text) || CTRF_BEGINNING.test(text);
}

/** Null: the end of the line has not arrived. */
function lineAt(text: string, start: number): string | null {
  const end = text.indexOf('\n', start);
  return end < 0 ? null : text.slice(start, end);
}
