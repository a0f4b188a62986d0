import { plainText, type Unit } from './sentences';

const FENCE = /^\s*(?:>\s*)?(`{3,}|~{3,})/;
const LIST_MARK = /^(?:[-*+]|\d+[.)]) /;

/** Paragraphs, list items, table cells and headings of a document, without code and comments. */
export function unitsOfMarkdown(file: string, source: string): readonly Unit[] {
  const units: Unit[] = [];
  let open: { line: number; text: string } | undefined;
  let fence: string | undefined;
  const close = () => {
    if (open) units.push({ file, line: open.line, text: plainText(open.text) });
    open = undefined;
  };
  const lines = source.replace(/<!--[^]*?-->/g, (comment) => comment.replace(/[^\n]/g, '')).split('\n');
  lines.forEach((whole, index) => {
    const [, mark] = FENCE.exec(whole) ?? [];
    const line = whole.replace(/^\s*>\s?/, '').trim();
    if (mark !== undefined && (fence === undefined || whole.trim().startsWith(fence))) {
      close();
      fence = fence === undefined ? mark : undefined;
    } else if (fence !== undefined) return;
    else if (/^\|?[\s:|-]*\|?$/.test(line)) {
      if (line === '') close();
    } else if (/^\|.*\|$/.test(line)) {
      close();
      units.push(...cellsOf(file, index + 1, line));
    } else if (/^#{1,6} /.test(line)) {
      close();
      units.push({ file, line: index + 1, text: plainText(line.replace(/^#+ /, '')), isHeading: true });
    } else if (open && !LIST_MARK.test(line)) open.text += ` ${line}`;
    else {
      close();
      open = { line: index + 1, text: line.replace(LIST_MARK, '') };
    }
  });
  close();
  return units;
}

/** The cells of a row. A short cell without a full stop counts as a heading. */
function cellsOf(file: string, line: number, row: string): readonly Unit[] {
  return plainText(row)
    .split('|')
    .map((text) => ({ file, line, text, isHeading: !/[.!]\s*$/.test(text) && text.trim().split(/\s+/).length < 5 }));
}
