import type { Dice } from '../../simulation/oracle/random';
import type { Document, Schema } from '../document';
import { drawValue, oneOf } from './draw-value';
import { spoilText, spoilValue, textOf } from './spoil';

export interface FuzzRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface Operation {
  readonly path: string;
  readonly schema: Schema;
  readonly examples: readonly object[];
}

const JSON_TYPE = 'application/json';
const ODD_TYPES = [
  ...['application/json; charset=utf-16', 'application/json; charset=x', 'application/json; charset="utf-8'],
  ...['application/json;;', 'application/vnd.x+json', 'text/plain', 'application/json, application/json'],
];
const ENCODINGS = ['gzip', 'br', 'deflate', 'zstd', 'x'];

/** Draws requests to every operation with a JSON body. Some requests are valid, and others have a few errors. */
export class FuzzRequests {
  private readonly operations: readonly Operation[];

  constructor(
    private readonly document: Document,
    private readonly dice: Dice,
  ) {
    this.operations = Object.entries(document.paths).flatMap(([path, { post }]) => {
      const content = post?.requestBody?.content[JSON_TYPE];
      if (content === undefined) return [];
      return [
        { path, schema: content.schema, examples: Object.values(content.examples ?? {}).map(({ value }) => value) },
      ];
    });
  }

  draw(): FuzzRequest {
    const { dice } = this;
    const operation = oneOf(this.operations, dice);
    let value: unknown = this.drawBody(operation);
    for (let left = dice.below(4); left > 0; left--) value = spoilValue(value, dice);
    let text = textOf(value);
    if (dice.happens(0.05)) text = spoilText(text, dice);
    return { path: operation.path, headers: this.drawHeaders(), body: this.encode(text) };
  }

  private drawBody({ schema, examples }: Operation): unknown {
    const { dice, document } = this;
    const drawn = drawValue(document, schema, dice) as object;
    if (examples.length === 0 || dice.happens(0.2)) return drawn;
    const example = oneOf(examples, dice);
    // Half of the requests have the example's fields in place of the drawn ones. The example names existing objects, so
    // such a request gets past validation.
    return dice.happens(0.5) ? example : { ...drawn, ...example };
  }

  private drawHeaders(): Record<string, string> {
    const { dice } = this;
    return {
      'content-type': dice.happens(0.02) ? oneOf(ODD_TYPES, dice) : JSON_TYPE,
      ...(dice.happens(0.01) && { 'content-encoding': oneOf(ENCODINGS, dice) }),
    };
  }

  private encode(text: string): Buffer {
    const { dice } = this;
    if (dice.happens(0.99)) return Buffer.from(text);
    const bytes = Buffer.from(text, oneOf(['utf16le', 'latin1'] as const, dice));
    if (bytes.length > 0) bytes[dice.below(bytes.length)] = dice.below(256);
    return bytes;
  }
}
