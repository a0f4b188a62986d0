/** A piece of a line with a uniform look. */
export interface TerminalPiece {
  readonly text: string;
  /** Classes of the style sheet, such as `red bold`; "" for plain text. */
  readonly look: string;
}

const COLOURS = ['', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', ''];
const LOOKS: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'under' };
/** The looks that the codes 22, 23 and 24 end. */
const ENDED: Readonly<Record<number, readonly string[]>> = { 22: ['bold', 'dim'], 23: ['italic'], 24: ['under'] };

/* Terminal sequences that set looks, all other terminal sequences, and control characters. */
// eslint-disable-next-line no-control-regex
const LOOK = /\x1b\[([\d;:]*)m/;
const OTHER =
  // eslint-disable-next-line no-control-regex
  /\x1b\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x6c\x6e-\x7e]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b(?!\[)[\x20-\x7e]?|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]/g;

/** Converts terminal output to text with looks. Cursor movements are dropped. */
class TerminalLines {
  private colour = '';
  private readonly looks = new Set<string>();

  /** Converts a line. The look at its end continues in the next line, as on a terminal. */
  read(line: string): TerminalPiece[] {
    const parts = afterLastReturn(line).split(LOOK);
    return parts.flatMap((part, index) => {
      if (index % 2 === 1) {
        this.change(part);
        return [];
      }
      const text = part.replace(OTHER, '').replaceAll('\x1b[', '');
      return text === '' ? [] : [{ text, look: [this.colour, ...this.looks].filter(Boolean).join(' ') }];
    });
  }

  private change(codes: string): void {
    const numbers = codes.split(/[;:]/).map(Number);
    for (let at = 0; at < numbers.length; at++) {
      const code = numbers[at]!;
      // The parameters of 256-colour and true-colour codes are skipped.
      if (code === 38 || code === 48) at += numbers[at + 1] === 5 ? 2 : 4;
      else this.apply(code);
    }
  }

  private apply(code: number): void {
    const look = LOOKS[code];
    if (code === 0) {
      this.colour = '';
      this.looks.clear();
    } else if (look !== undefined) this.looks.add(look);
    else if (ENDED[code] !== undefined) ENDED[code].forEach((ended) => this.looks.delete(ended));
    else if (code === 39) this.colour = '';
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) this.colour = COLOURS[code % 10]!;
  }
}

/** The lines of terminal output. */
export function terminalLines(text: string): readonly (readonly TerminalPiece[])[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const terminal = new TerminalLines();
  return lines.map((line) => terminal.read(line));
}

/** The text after the last carriage return: a progress bar overwrites its line again and again. */
function afterLastReturn(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  return whole.slice(whole.lastIndexOf('\r') + 1);
}
