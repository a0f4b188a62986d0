const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const INDENTED_CODE = /^( {4}|\t)/;
const QUOTE = /^ {0,3}>/;

/** The lines of a comment without code blocks, quotes and HTML comments. */
export function visibleLines(markdown: string): readonly string[] {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of withoutHidden(markdown).split(/\r\n|\r|\n/)) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark !== null && mark.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (mark !== null) fence = mark;
    else if (!INDENTED_CODE.test(line) && !QUOTE.test(line)) lines.push(line);
  }
  return lines;
}

function withoutHidden(markdown: string): string {
  return markdown.replace(/<!--[\s\S]*?(-->|$)/g, '');
}
