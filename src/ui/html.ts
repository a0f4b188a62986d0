import { placesIn, type TemplatePlace } from './template-places';

/** Text that is markup already. Only `html` and `attributes` make it, so no other text can pass as markup. */
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

/** HtmlAttributes of an element, made by `attributes`. */
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

/** What may stand between tags: markup, or text that is escaped. Nothing is shown for false, null and undefined. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];
/** What may stand in a template: content between tags, text in quotes, `attributes` in a tag. */
export type Hole = Content | HtmlAttributes;

const places = new WeakMap<TemplateStringsArray, readonly TemplatePlace[]>();

/**
 * Makes markup from a template; every value is escaped for the place where it stands. A template is read once, and refused with a
 * TypeError when its tags do not fit together, or when a value stands where it cannot be escaped.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Hole[]): Html {
  const known = places.get(strings) ?? placesIn(strings);
  places.set(strings, known);
  const parts = strings.map((text, index) =>
    index < values.length ? text + shown(values[index], known[index]!) : text,
  );
  return new Html(parts.join(''), MAKER);
}

/** In a tag, or nothing: true is an attribute without a value; false, null and undefined leave it out. */
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

/** A name in a sentence may hold these, and turn the rest of the sentence around. */
const TURNS_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** Sentences of the service put names between backticks. */
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
