import { placesIn, type TemplatePlace } from './template-places';

/** Text that is already markup. Only `html` and `attributes` make such objects, so no other text can pass as markup. */
export class Html {
  readonly #markup: string;

  constructor(markup: string, key: symbol) {
    if (key !== MAKER) throw new TypeError('Only html`` makes markup.');
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** Attributes of an element, made by `attributes`. */
export class HtmlAttributes {
  readonly #text: string;

  constructor(text: string, key: symbol) {
    if (key !== MAKER) throw new TypeError('Only attributes() makes attributes.');
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

const MAKER = Symbol('maker');

/** Content between tags: markup, or text that is escaped. False, null and undefined show nothing. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];
/** A value in a template: content between tags, text in quotes, or `attributes` in a tag. */
export type Hole = Content | HtmlAttributes;

const places = new WeakMap<TemplateStringsArray, readonly TemplatePlace[]>();

/**
 * Makes markup from a template. Every value is escaped for its position. A template is parsed once. Throws a TypeError
 * when the tags of the template do not match, or when a value is at a position at which it cannot be escaped.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Hole[]): Html {
  const known = places.get(strings) ?? placesIn(strings);
  places.set(strings, known);
  const parts = strings.map((text, index) =>
    index < values.length ? text + shown(values[index], known[index]!) : text,
  );
  return new Html(parts.join(''), MAKER);
}

/** Attributes for a tag. True is an attribute without a value; false, null and undefined omit the attribute. */
export function attributes(
  given: Readonly<Record<string, string | number | boolean | null | undefined>>,
): HtmlAttributes {
  const parts = Object.entries(given).flatMap(([name, value]) => {
    if (!/^[a-z][a-z-]*$/.test(name)) throw new TypeError(`${name} is not the name of an attribute.`);
    if (value === false || value == null) return [];
    return value === true ? [name] : [`${name}="${escape(String(value))}"`];
  });
  return new HtmlAttributes(parts.join(' '), MAKER);
}

/** Control characters in a name could reverse the rest of the sentence. */
const TURNS_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** Shows names between backticks as code. */
export function prose(sentence: string): Html {
  const parts = sentence.replace(TURNS_DIRECTION, '\ufffd').split(/`([^`]+)`/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

function shown(value: Hole, place: TemplatePlace): string {
  if (place === 'tag') {
    if (value instanceof HtmlAttributes) return value.toString();
    throw new TypeError('In a tag only attributes() may stand.');
  }
  if (value === false || value == null) return '';
  if (place === 'quotes') {
    if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
    throw new TypeError('In quotes only text may stand.');
  }
  return contentOf(value);
}

function contentOf(value: Hole): string {
  if (value === false || value == null) return '';
  if (value instanceof Html) return value.toString();
  if (value instanceof HtmlAttributes) throw new TypeError('attributes() may stand in a tag only.');
  if (Array.isArray(value)) return value.map(contentOf).join('');
  return escape(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}
