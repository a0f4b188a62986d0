import {
  CUT_MARK,
  isFirstHalf,
  MAX_ATTRIBUTE_CHARACTERS,
  MAX_ATTRIBUTES,
  MAX_DECLARATION_CHARACTERS,
  MAX_REFERENCE_CHARACTERS,
  MAX_TAG_CHARACTERS,
} from './limits';
import { replaceForbiddenCharacters, withoutForbiddenReference } from './xml-characters';

/** Where in a document a character stands. */
export type MarkupPlace = 'text' | 'tag' | 'value' | 'cdata' | 'comment' | 'instruction' | 'declaration';

const ENDS = { cdata: ']]>', comment: '-->', instruction: '?>' } as const;

/** What comes before and after: `feed` takes all that the parser may see, in order; `refuse` throws. */
export interface ScannerPorts {
  feed(text: string): void;
  refuse(reason: string): never;
}

/**
 * Stands before the parser and knows just enough of XML to tell where each character stands. So it can replace what
 * XML forbids but runners write, cut values that are too long, and say where a long text may be divided. Whether the
 * document is well-formed, the parser says.
 */
export class MarkupScanner {
  place: MarkupPlace = 'text';
  private source = '';
  /** Everything before is understood; the rest waits for the next chunk. */
  private at = 0;
  /** Everything before is in `output`. */
  private copied = 0;
  private output = '';
  private nextAmpersand = -1;
  private quote = '"';
  /** Of the tag, the instruction or the declaration. */
  private markupCharacters = 0;
  private valueCharacters = 0;
  private attributes = 0;

  constructor(private readonly ports: ScannerPorts) {}

  scan(chunk: string): void {
    this.source = this.source.slice(this.at) + replaceForbiddenCharacters(chunk);
    this.at = 0;
    this.copied = 0;
    this.nextAmpersand = -1;
    while (this.at < this.source.length && this.step());
    // What divides a text must not come between a carriage return and its line feed: they are one end of a line.
    if (this.at === this.source.length && this.copied < this.at && this.source.endsWith('\r')) this.at--;
    this.flush();
  }

  /** What was held back goes on as it is: only an error of the document is left unfinished. */
  end(): void {
    this.at = this.source.length;
    this.flush();
  }

  /** The parser saw a document type declaration end, which takes more to tell than is known here. */
  declarationEnded(): void {
    this.place = 'text';
  }

  /** False: what is left can only be understood with what follows. */
  private step(): boolean {
    switch (this.place) {
      case 'text':
        return this.passText();
      case 'tag':
        return this.passTag();
      case 'value':
        return this.passValue();
      case 'declaration':
        return this.passDeclaration();
      case 'cdata':
      case 'comment':
      case 'instruction':
        return this.passUntil(ENDS[this.place]);
    }
  }

  private passText(): boolean {
    const markup = this.source.indexOf('<', this.at);
    const end = markup < 0 ? this.source.length : markup;
    this.at = this.passReferences(end, end);
    if (this.at < end) return false;
    return markup < 0 || this.enterMarkup();
  }

  private enterMarkup(): boolean {
    const { source, at } = this;
    if (source.startsWith('<!--', at)) return this.enter('comment', '<!--');
    if (source.startsWith('<![CDATA[', at)) return this.enter('cdata', '<![CDATA[');
    const rest = source.slice(at, at + '<![CDATA['.length);
    if ('<![CDATA['.startsWith(rest) || '<!--'.startsWith(rest)) return false;
    if (rest.startsWith('<!')) return this.enter('declaration', '<!');
    if (rest.startsWith('<?')) return this.enter('instruction', '<?');
    return this.enter('tag', '<');
  }

  private enter(place: MarkupPlace, opening: string): boolean {
    this.place = place;
    this.at += opening.length;
    this.markupCharacters = 0;
    this.attributes = 0;
    return true;
  }

  private passTag(): boolean {
    const { source } = this;
    const from = this.at;
    let at = from;
    for (; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (code === 0x3e /* > */) {
        this.place = 'text';
        break;
      }
      if (code === 0x22 /* " */ || code === 0x27 /* ' */) {
        this.place = 'value';
        this.quote = code === 0x22 ? '"' : "'";
        this.valueCharacters = 0;
        if (++this.attributes > MAX_ATTRIBUTES) this.refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`);
        break;
      }
    }
    this.at = Math.min(at + 1, source.length);
    this.count(this.at - from, MAX_TAG_CHARACTERS, 'a tag');
    return true;
  }

  private passValue(): boolean {
    const { source } = this;
    const from = this.at;
    const closing = source.indexOf(this.quote, from);
    const end = closing < 0 ? source.length : closing;
    const room = MAX_ATTRIBUTE_CHARACTERS - this.valueCharacters;
    if (room > 0) {
      const until = Math.min(end, from + room);
      this.at = this.passReferences(until, end);
      const isHeldBack = this.at < until;
      if (!isHeldBack && this.at < end && isFirstHalf(source.charCodeAt(this.at - 1))) this.at++;
      this.valueCharacters += this.at - from;
      this.count(this.at - from, MAX_TAG_CHARACTERS, 'a tag');
      if (isHeldBack) return false;
    }
    if (this.at < end) this.dropUntil(end);
    if (closing < 0) return true;
    this.place = 'tag';
    this.at = closing + 1;
    return true;
  }

  /** Ends of lines stay, so that the lines are counted right behind it. */
  private dropUntil(end: number): void {
    const ends = this.source.slice(this.at, end).replace(/[^\r\n]+/g, '');
    const mark = this.valueCharacters === Infinity ? '' : CUT_MARK;
    this.output += this.source.slice(this.copied, this.at) + mark + ends;
    this.at = end;
    this.copied = end;
    this.valueCharacters = Infinity;
    this.count(ends.length, MAX_TAG_CHARACTERS, 'a tag');
  }

  private passDeclaration(): boolean {
    const from = this.at;
    const closing = this.source.indexOf('>', from);
    this.at = closing < 0 ? this.source.length : closing + 1;
    this.count(this.at - from, MAX_DECLARATION_CHARACTERS, 'a document type declaration');
    if (closing >= 0) this.flush();
    return true;
  }

  private passUntil(ending: string): boolean {
    const { source } = this;
    const from = this.at;
    const found = source.indexOf(ending, from);
    this.at = found < 0 ? Math.max(from, source.length - lengthOfTail(source, ending)) : found + ending.length;
    if (this.place === 'instruction') {
      this.count(this.at - from, MAX_DECLARATION_CHARACTERS, 'a processing instruction');
    }
    if (found < 0) return false;
    this.place = 'text';
    return true;
  }

  /**
   * Looks at the references that begin before `until`, in text or a value that reaches to `end`. Answers how far it
   * understood: behind `until` if a reference stands across it, before it if a reference is not there as a whole.
   */
  private passReferences(until: number, end: number): number {
    const { source } = this;
    let passed = this.at;
    for (;;) {
      if (this.nextAmpersand < passed) this.nextAmpersand = indexOrEnd(source, '&', passed);
      const start = this.nextAmpersand;
      if (start >= until) return Math.max(passed, until);
      const length = source.slice(start, Math.min(end, start + MAX_REFERENCE_CHARACTERS)).indexOf(';') + 1;
      if (length === 0) {
        if (end === source.length && start + MAX_REFERENCE_CHARACTERS > end) return start;
        this.at = start;
        this.refuse('there is an & that begins no reference; in text it is written &amp;');
      }
      passed = start + length;
      if (source[start + 1] === '#') this.replaceReference(start, passed);
    }
  }

  private replaceReference(start: number, end: number): void {
    const reference = this.source.slice(start, end);
    const allowed = withoutForbiddenReference(reference);
    if (allowed === reference) return;
    this.output += this.source.slice(this.copied, start) + allowed;
    this.copied = end;
  }

  private count(characters: number, limit: number, what: string): void {
    this.markupCharacters += characters;
    if (this.markupCharacters > limit) this.refuse(`${what} has more than ${limit} characters`);
  }

  private refuse(reason: string): never {
    this.flush();
    return this.ports.refuse(reason);
  }

  private flush(): void {
    const text = this.output + this.source.slice(this.copied, this.at);
    this.output = '';
    this.copied = Math.max(this.copied, this.at);
    if (text !== '') this.ports.feed(text);
  }
}

/** How many characters at the end may turn out to be the beginning of `ending`. */
function lengthOfTail(source: string, ending: string): number {
  for (let length = ending.length - 1; length > 0; length--) {
    if (source.endsWith(ending.slice(0, length))) return length;
  }
  return 0;
}

function indexOrEnd(source: string, character: string, from: number): number {
  const index = source.indexOf(character, from);
  return index < 0 ? source.length : index;
}
