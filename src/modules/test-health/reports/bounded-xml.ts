import { SaxesParser } from 'saxes';
import {
  cutTo,
  MAX_ATTRIBUTE_CHARACTERS,
  MAX_ATTRIBUTES,
  MAX_DECLARATION_CHARACTERS,
  MAX_DEPTH,
  MAX_NAME_CHARACTERS,
  MAX_OPEN_TAG_CHARACTERS,
  MAX_REFERENCE_CHARACTERS,
  MAX_TEXT_CHARACTERS,
} from './limits';
import { MalformedReport } from './malformed-report';
import { isForbiddenReference, REPLACEMENT, replaceForbiddenCharacters } from './xml-characters';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlListener {
  open(name: string, attributes: Attributes, line: number): void;
  /** One text may arrive in several pieces. Pieces may be cut to MAX_TEXT_CHARACTERS. */
  text(piece: string): void;
  close(): void;
}

/** Fields of saxes that its types hide: the collected text and names of open constructs, and references. */
interface Collected {
  /** The text of a value, CDATA, a comment, an instruction or a declaration, or plain text. */
  text: string;
  /** The name of an element or an attribute. */
  readonly name: string;
  /** The target of an instruction. */
  readonly piTarget: string;
  /** The characters after an &. */
  readonly entity: string;
  /** @param reference without its delimiters: `amp` */
  parseEntity(reference: string): string;
}

/** An entity name or a character number. Other text before the next `;` is not a reference. */
const REFERENCE = /^[^\s<>&"'=]*$/;

/**
 * Parses an XML document in pieces, with bounded memory for any document. saxes checks whether the document is
 * well-formed; after every piece this class cuts the text that saxes has collected.
 */
export class BoundedXml {
  private readonly parser = new SaxesParser({
    xmlns: false,
    position: true,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  private readonly collected = this.parser as unknown as Collected;
  private startLine = 1;
  private attributes = 0;
  /** For each open element: the number of characters in its attributes. */
  private readonly sizes: number[] = [];
  private openCharacters = 0;

  constructor(
    private readonly fileName: string,
    private readonly listener: XmlListener,
  ) {
    const { parser } = this;
    // saxes keeps each handler in a field. One more handler would make V8 turn the parser object into a dictionary,
    // which is four times as slow.
    parser.on('opentagstart', () => this.open());
    parser.on('attribute', (attribute) => {
      attribute.value = cutTo(MAX_ATTRIBUTE_CHARACTERS, attribute.value);
      this.countAttribute(attribute.name.length + attribute.value.length);
    });
    parser.on('opentag', ({ name, attributes }) => listener.open(name, attributes, this.startLine));
    parser.on('closetag', () => {
      this.openCharacters -= this.sizes.pop() ?? 0;
      listener.close();
    });
    parser.on('text', (piece) => listener.text(piece));
    parser.on('cdata', (piece) => listener.text(piece));
    parser.on('doctype', (declaration) => this.allow(declaration));
    parser.fail = (message) => this.refuse(message.replace(/\.$/, ''));
    const resolve = this.collected.parseEntity.bind(parser);
    this.collected.parseEntity = (reference) => {
      if (reference.length > MAX_REFERENCE_CHARACTERS || !REFERENCE.test(reference)) this.refuseAmpersand(reference, 1);
      return isForbiddenReference(reference) ? REPLACEMENT : resolve(reference);
    };
  }

  /** Pieces should be small, because each piece needs memory in addition to the limits. */
  write(text: string): void {
    const { parser, collected } = this;
    parser.write(replaceForbiddenCharacters(text));
    // No reader uses a text, value or declaration beyond this length, so later characters may be appended in the wrong
    // place.
    if (collected.text.length > MAX_TEXT_CHARACTERS) collected.text = collected.text.slice(0, MAX_TEXT_CHARACTERS);
    if (collected.name.length + collected.piTarget.length > MAX_NAME_CHARACTERS) {
      this.refuse(`a name has more than ${MAX_NAME_CHARACTERS} characters`);
    }
    if (collected.entity.length > MAX_REFERENCE_CHARACTERS) this.refuseAmpersand(collected.entity, 0);
  }

  end(): void {
    if (this.collected.entity !== '') this.refuseAmpersand(this.collected.entity, 0);
    this.parser.close();
  }

  private refuse(reason: string): never {
    const { line, column } = this.parser;
    throw new MalformedReport(this.fileName, { line, column: Math.max(1, column) }, reason);
  }

  /**
   * Reports the position of the &, which may be several lines earlier: since then, the parser has read `after` and
   * `more` further characters.
   */
  private refuseAmpersand(after: string, more: number): never {
    const { line, column } = this.parser;
    const lines = after.split('\n').length - 1;
    const place = lines > 0 ? { line: line - lines } : { line, column: column - [...after].length - more };
    const reason = 'there is an & that begins no reference; in text it is written &amp;';
    throw new MalformedReport(this.fileName, place, reason);
  }

  private open(): void {
    // The parser has read the character after the name, which may be the end of the line.
    const { line, columnIndex } = this.parser;
    this.startLine = columnIndex === 0 ? line - 1 : line;
    this.attributes = 0;
    this.sizes.push(0);
    if (this.sizes.length > MAX_DEPTH) this.refuse(`elements are nested more than ${MAX_DEPTH} deep`);
  }

  private countAttribute(characters: number): void {
    if (++this.attributes > MAX_ATTRIBUTES) this.refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`);
    this.sizes.push((this.sizes.pop() ?? 0) + characters);
    this.openCharacters += characters;
    if (this.openCharacters <= MAX_OPEN_TAG_CHARACTERS) return;
    this.refuse(`the start tags of nested elements have more than ${MAX_OPEN_TAG_CHARACTERS} characters in total`);
  }

  /**
   * Element and attribute declarations have no effect on this parser. Declarations that define or include other text
   * are refused.
   */
  private allow(declaration: string): void {
    if (declaration.length > MAX_DECLARATION_CHARACTERS) {
      this.refuse(`a document type declaration has more than ${MAX_DECLARATION_CHARACTERS} characters`);
    }
    if (/<!ENTITY|%/.test(declaration)) this.refuse('entity declarations are not allowed');
    if (/\b(SYSTEM|PUBLIC)\b/.test(declaration)) this.refuse('external entities are not allowed');
  }
}
