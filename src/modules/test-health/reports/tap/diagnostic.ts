import { MAX_FAILURE_TEXT_CHARACTERS } from '../limits';

/** The lines after a test point: YAML between `---` and `...`, or comments and lines of the runner. */
export class Diagnostic {
  private readonly lines: string[] = [];
  private characters = 0;

  add(line: string): void {
    if (this.characters > MAX_FAILURE_TEXT_CHARACTERS) return;
    this.characters += line.length + 1;
    this.lines.push(line);
  }

  /** The value of `message` or `error`. Depending on the writer, it may be a block, or be in a map named `error`. */
  get message(): string {
    return this.valueOf('message') || this.valueOf('error');
  }

  get text(): string {
    const indent = Math.min(...this.lines.filter((line) => line.trim() !== '').map(indentOf));
    return this.lines.map((line) => line.slice(indent)).join('\n');
  }

  /**
   * The value of a key at any level; empty if there is no such key. Supports only the part of YAML that TAP writers
   * use.
   */
  valueOf(key: string): string {
    const at = this.lines.findIndex((line) => line.trimStart().startsWith(`${key}:`));
    const line = this.lines[at];
    if (line === undefined) return '';
    const value = line.slice(line.indexOf(':') + 1).trim();
    return /^[|>][+-]?\d?$/.test(value) ? this.blockBehind(at, indentOf(line)) : unquoted(value);
  }

  private blockBehind(at: number, indent: number): string {
    const behind = this.lines.slice(at + 1);
    const end = behind.findIndex((line) => line.trim() !== '' && indentOf(line) <= indent);
    const block = end < 0 ? behind : behind.slice(0, end);
    return block
      .map((line) => line.trim())
      .join('\n')
      .trim();
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function unquoted(value: string): string {
  if (value.length < 2) return value;
  if (value.startsWith("'") && value.endsWith("'")) return value.slice(1, -1).replaceAll("''", "'");
  if (!value.startsWith('"') || !value.endsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value.slice(1, -1);
  }
}
