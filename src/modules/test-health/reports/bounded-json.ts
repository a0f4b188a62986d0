import { MAX_DEPTH, MAX_NAME_CHARACTERS, MAX_TEXT_CHARACTERS } from './limits';
import { MalformedReport } from './malformed-report';

export type JsonScalar = string | number | boolean | null;

/** `key`: the name of the value in its object; null in an array and at the top. */
export interface JsonListener {
  open(kind: 'object' | 'array', key: string | null, line: number): void;
  /** Strings longer than MAX_TEXT_CHARACTERS are cut. */
  value(value: JsonScalar, key: string | null, line: number): void;
  close(): void;
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

const MAX_WORD_CHARACTERS = 1_024;
/** Characters that end a string or begin an escape, and control characters. */
const SPECIAL = /["\\]|\p{Cc}/gu;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlyMap<string, JsonScalar> = new Map<string, JsonScalar>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** Parses a JSON document in pieces, with bounded memory for any document. */
export class BoundedJson {
  private expected: Expected = 'value';
  private readonly kinds: ('object' | 'array')[] = [];
  private key: string | null = null;
  /** The open string: its kept part, and an incomplete escape. Null outside strings. */
  private string: string | null = null;
  private escape: string | null = null;
  /** A number, true, false or null that may continue in the next piece. */
  private word = '';
  private line = 1;
  private column = 1;

  constructor(
    private readonly fileName: string,
    private readonly listener: JsonListener,
  ) {}

  write(text: string): void {
    for (let at = 0; at < text.length;) {
      const next = this.string === null ? this.readToken(text, at) : this.readString(text, at);
      this.column += next - at;
      at = next;
    }
  }

  end(): void {
    if (this.string !== null) this.refuse('the file ends within a string');
    this.completeWord();
    if (this.kinds.length > 0) this.refuse(`the file ends within an ${this.kinds.at(-1)}`);
    if (this.expected !== 'nothing') this.refuse('the file has no value');
  }

  /** Returns the position at which to continue. */
  private readToken(text: string, at: number): number {
    const character = text[at]!;
    if (/[-+.\w]/.test(character)) {
      this.word += character;
      if (this.word.length > MAX_WORD_CHARACTERS) this.refuse(`a number has more than ${MAX_WORD_CHARACTERS} digits`);
      return at + 1;
    }
    this.completeWord();
    if (character === '\n') {
      this.line++;
      this.column = 0;
    } else if (character === '"') this.openString();
    else if (character === '{' || character === '[') this.openContainer(character === '{' ? 'object' : 'array');
    else if (character === '}' || character === ']') this.closeContainer(character === '}' ? 'object' : 'array');
    else if (character === ',') this.next('comma or end', this.kinds.at(-1) === 'object' ? 'key' : 'value');
    else if (character === ':') this.next('colon', 'value');
    else if (character !== ' ' && character !== '\t' && character !== '\r') {
      this.refuse(`JSON does not allow the character ${JSON.stringify(character)} here`);
    }
    return at + 1;
  }

  private readString(text: string, at: number): number {
    if (this.escape !== null) {
      this.readEscape(text[at]!);
      return at + 1;
    }
    SPECIAL.lastIndex = at;
    const end = SPECIAL.exec(text)?.index ?? text.length;
    if (end > at) {
      this.keep(text.slice(at, end));
      return end;
    }
    const character = text[at]!;
    if (character === '"') this.closeString();
    else if (character === '\\') this.escape = '';
    else if (character === '\n' || character === '\r') this.refuse('a string does not end on its line');
    // Control characters are kept, because some runners write terminal colours without escaping them.
    else this.keep(character);
    return at + 1;
  }

  private readEscape(character: string): void {
    const escape = this.escape + character;
    this.escape = escape;
    if (escape[0] !== 'u') {
      const meant = ESCAPES[escape];
      if (meant === undefined) this.refuse(`${JSON.stringify(`\\${escape}`)} is not an escape sequence of JSON`);
      this.keep(meant);
      this.escape = null;
    } else if (!/^u[0-9a-f]{0,4}$/i.test(escape)) this.refuse('\\u is not followed by four hexadecimal digits');
    else if (escape.length === 5) {
      this.keep(String.fromCharCode(parseInt(escape.slice(1), 16)));
      this.escape = null;
    }
  }

  private keep(part: string): void {
    const remaining = MAX_TEXT_CHARACTERS - (this.string?.length ?? 0);
    if (remaining > 0) this.string += part.slice(0, remaining);
  }

  private openString(): void {
    if (!this.expected.startsWith('key')) this.requireValue();
    this.string = '';
  }

  private closeString(): void {
    const text = this.string ?? '';
    this.string = null;
    if (!this.expected.startsWith('key')) return this.give(text);
    if (text.length > MAX_NAME_CHARACTERS) this.refuse(`a key has more than ${MAX_NAME_CHARACTERS} characters`);
    this.key = text;
    this.expected = 'colon';
  }

  private completeWord(): void {
    const { word } = this;
    if (word === '') return;
    this.word = '';
    this.requireValue();
    const value = NUMBER.test(word) ? Number(word) : WORDS.get(word);
    if (value === undefined) this.refuse(`${word.slice(0, 40)} is not a JSON value`);
    this.give(value);
  }

  private give(value: JsonScalar): void {
    this.listener.value(value, this.key, this.line);
    this.afterValue();
  }

  private openContainer(kind: 'object' | 'array'): void {
    this.requireValue();
    if (this.kinds.length === MAX_DEPTH) this.refuse(`objects and arrays are nested more than ${MAX_DEPTH} deep`);
    this.listener.open(kind, this.key, this.line);
    this.kinds.push(kind);
    this.key = null;
    this.expected = kind === 'object' ? 'key or end' : 'value or end';
  }

  private closeContainer(kind: 'object' | 'array'): void {
    const isExpected =
      this.expected === 'comma or end' || this.expected === (kind === 'object' ? 'key or end' : 'value or end');
    if (!isExpected || this.kinds.pop() !== kind) this.refuse(`the end of an ${kind} is not allowed here`);
    this.listener.close();
    this.afterValue();
  }

  private afterValue(): void {
    this.key = null;
    this.expected = this.kinds.length === 0 ? 'nothing' : 'comma or end';
  }

  private requireValue(): void {
    if (this.expected === 'value' || this.expected === 'value or end') return;
    this.refuse(
      this.expected === 'nothing'
        ? 'there is text after the end of the JSON'
        : `there is a value, but a ${this.expected} is expected`,
    );
  }

  private next(required: Expected, then: Expected): void {
    if (this.expected !== required) this.refuse(`a ${required === 'colon' ? 'colon' : 'comma'} is not allowed here`);
    this.expected = then;
  }

  private refuse(reason: string): never {
    throw new MalformedReport(this.fileName, { line: this.line, column: Math.max(1, this.column) }, reason);
  }
}
