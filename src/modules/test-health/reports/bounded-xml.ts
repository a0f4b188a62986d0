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
  /** One text may come in several pieces. What is beyond MAX_TEXT_CHARACTERS of a piece may be missing. */
  text(piece: string): void;
  close(): void;
}

/** Fields of saxes that its types hide: what it has collected of a thing that has not ended yet, and its references. */
interface Collected {
  /** Of a text, a value, CDATA, a comment, an instruction or a declaration. */
  text: string;
  /** Of an element or an attribute. */
  readonly name: string;
  /** Of an instruction. */
  readonly piTarget: string;
  /** What follows an &. */
  readonly entity: string;
  /** @param reference without its ends: `amp` */
  parseEntity(reference: string): string;
}

/** An entity name or a number of a character: what ends with the next `;` and is neither begins no reference. */
const REFERENCE = /^[^\s<>&"'=]*$/;

/**
 * An XML document piece by piece, in memory that no document can make grow. saxes says whether it is well-formed; after
 * every piece this cuts what saxes has collected.
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
  /** Of each element that is open: how many characters its attributes have. */
  private readonly sizes: number[] = [];
  private openCharacters = 0;

  constructor(
    private readonly fileName: string,
    private readonly listener: XmlListener,
  ) {
    const { parser } = this;
    // saxes keeps each handler in a field. With one more of them V8 makes the parser a dictionary, four times as slow.
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

  /** Pieces should be small: the memory for one of them comes on top of the limits. */
  write(text: string): void {
    const { parser, collected } = this;
    parser.write(replaceForbiddenCharacters(text));
    // No text, value or declaration is used to this length, so what follows may be appended in the wrong place.
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

  /** Says where the & stands, which may be lines before: the parser has read `after` it, and `more` characters. */
  private refuseAmpersand(after: string, more: number): never {
    const { line, column } = this.parser;
    const lines = after.split('\n').length - 1;
    const place = lines > 0 ? { line: line - lines } : { line, column: column - [...after].length - more };
    const reason = 'there is an & that begins no reference; in text it is written &amp;';
    throw new MalformedReport(this.fileName, place, reason);
  }

  private open(): void {
    // The parser has read what follows the name, which may be the end of the line.
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
    this.refuse(`a tag and those around it have more than ${MAX_OPEN_TAG_CHARACTERS} characters`);
  }

  /** Element and attribute declarations change nothing here; whatever names or brings in other text is refused. */
  private allow(declaration: string): void {
    if (declaration.length > MAX_DECLARATION_CHARACTERS) {
      this.refuse(`a document type declaration has more than ${MAX_DECLARATION_CHARACTERS} characters`);
    }
    if (/<!ENTITY|%/.test(declaration)) this.refuse('entity declarations are not allowed');
    if (/\b(SYSTEM|PUBLIC)\b/.test(declaration)) this.refuse('external entities are not allowed');
  }
}
