import { SaxesParser } from 'saxes';
import { MAX_DEPTH } from './limits';
import { MalformedReport } from './malformed-report';
import { MarkupScanner } from './markup-scanner';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlListener {
  open(name: string, attributes: Attributes, line: number): void;
  /** One text may come in several pieces. */
  text(piece: string): void;
  close(): void;
  /** Asked after each element that opens or closes: whether text counts until the next. */
  readonly wantsText: boolean;
}

/** The parser holds a text until it ends, if nothing divides it. */
const DIVIDE_AFTER_CHARACTERS = 32_768;

/** An XML document piece by piece, in memory that no document can make grow: saxes behind a scanner. */
export class BoundedXml {
  private readonly parser = new SaxesParser({
    xmlns: false,
    position: true,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  private readonly scanner = new MarkupScanner({
    feed: (text) => this.feed(text),
    refuse: (reason) => this.refuse(reason),
  });
  private depth = 0;
  private startLine = 1;
  private isTextKept = false;
  private fedCharacters = 0;
  private divider = { line: 0, characters: 0 };

  constructor(
    private readonly fileName: string,
    private readonly listener: XmlListener,
  ) {
    const { parser } = this;
    parser.on('opentagstart', () => this.opens());
    parser.on('opentag', ({ name, attributes }) => {
      listener.open(name, attributes, this.startLine);
      this.switchText();
    });
    parser.on('closetag', () => {
      this.depth--;
      listener.close();
      this.switchText();
    });
    parser.on('cdata', (piece) => {
      if (this.isTextKept) listener.text(piece);
    });
    parser.on('doctype', (declaration) => this.allow(declaration));
    parser.on('error', ({ message }) => this.refuse(message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')));
  }

  write(text: string): void {
    this.scanner.scan(text);
    if (this.fedCharacters >= DIVIDE_AFTER_CHARACTERS) this.divide();
  }

  end(): void {
    this.scanner.end();
    this.parser.close();
  }

  private refuse(reason: string): never {
    const { line, column } = this.parser;
    const added = this.divider.line === line ? this.divider.characters : 0;
    throw new MalformedReport(this.fileName, { line, column: Math.max(1, column - added) }, reason);
  }

  /** Text that nobody listens to the parser does not even collect. */
  private switchText(): void {
    if (this.listener.wantsText === this.isTextKept) return;
    this.isTextKept = !this.isTextKept;
    if (this.isTextKept) this.parser.on('text', (piece) => this.listener.text(piece));
    else this.parser.off('text');
  }

  private feed(text: string): void {
    this.fedCharacters += text.length;
    this.parser.write(text);
  }

  /** Ends what the parser collects and begins it anew, which changes nothing of what the document says. */
  private divide(): void {
    this.fedCharacters = 0;
    if (this.scanner.place === 'cdata') this.writeDivider(']]><![CDATA[');
    else if (this.scanner.place === 'comment') this.writeDivider('--><!--');
    else if (this.scanner.place === 'text' && this.isTextKept) this.writeDivider('<![CDATA[]]>');
  }

  private writeDivider(divider: string): void {
    this.parser.write(divider);
    const { line } = this.parser;
    const before = this.divider.line === line ? this.divider.characters : 0;
    this.divider = { line, characters: before + divider.length };
  }

  private opens(): void {
    // The parser has read what follows the name, which may be the end of the line.
    const { line, columnIndex } = this.parser;
    this.startLine = columnIndex === 0 ? line - 1 : line;
    if (++this.depth > MAX_DEPTH) this.refuse(`elements are nested more than ${MAX_DEPTH} deep`);
  }

  /** Element and attribute declarations change nothing here; whatever names or brings in other text is refused. */
  private allow(declaration: string): void {
    this.scanner.declarationEnded();
    if (/<!ENTITY|%/.test(declaration)) this.refuse('entity declarations are not allowed');
    if (/\b(SYSTEM|PUBLIC)\b/.test(declaration)) this.refuse('external entities are not allowed');
  }
}
