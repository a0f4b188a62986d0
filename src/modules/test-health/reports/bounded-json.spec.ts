import * as fc from 'fast-check';
import { BoundedJson, type JsonScalar } from './bounded-json';
import { MAX_DEPTH, MAX_TEXT_CHARACTERS } from './limits';
import { MalformedReport } from './malformed-report';

/** Builds the same value as JSON.parse. */
class Builder {
  root: unknown;
  private readonly open_: (unknown[] | Record<string, unknown>)[] = [];

  open(kind: 'object' | 'array', key: string | null): void {
    const value = kind === 'array' ? [] : (Object.create(null) as Record<string, unknown>);
    this.value(value as unknown as JsonScalar, key);
    this.open_.push(value);
  }

  value(value: JsonScalar, key: string | null): void {
    const around = this.open_.at(-1);
    if (around === undefined) this.root = value;
    else if (Array.isArray(around)) around.push(value);
    else around[key!] = value;
  }

  close(): void {
    this.open_.pop();
  }
}

function read(text: string, cut = text.length): unknown {
  const builder = new Builder();
  const json = new BoundedJson('report.json', builder);
  for (let at = 0; at < text.length; at += Math.max(1, cut)) json.write(text.slice(at, at + Math.max(1, cut)));
  json.end();
  return builder.root;
}

function refusal(text: string): MalformedReport {
  try {
    read(text);
  } catch (error) {
    if (error instanceof MalformedReport) return error;
    throw error;
  }
  throw new Error('It was read.');
}

/** The read value, or the refusal with its line. */
function endOf(reading: () => unknown): unknown {
  try {
    return reading();
  } catch (error) {
    return error instanceof SyntaxError || (error instanceof MalformedReport && error.line > 0) ? 'refused' : error;
  }
}

const parsed = (text: string): unknown => JSON.parse(JSON.stringify(JSON.parse(text)));

describe('JSON in pieces', () => {
  it('gives the same values as JSON.parse, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 9 }), fc.nat({ max: 3 }), (text, cut, indent) => {
        const pretty = JSON.stringify(JSON.parse(text), null, indent);
        expect(parsed(JSON.stringify(read(pretty, cut)))).toEqual(parsed(pretty));
      }),
      { numRuns: 300 },
    );
  });

  it('is refused with a line exactly if JSON.parse refuses it', () => {
    const mutation = fc.tuple(
      fc.nat({ max: 1_000 }),
      fc.nat({ max: 3 }),
      fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '1', 'x', '\n'),
    );
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.array(mutation, { minLength: 1, maxLength: 3 }), (json, mutations) => {
        const text = mutations.reduce((before, [place, length, instead]) => {
          const at = place % (before.length + 1);
          return before.slice(0, at) + instead + before.slice(at + length);
        }, json);
        expect(endOf(() => parsed(JSON.stringify(read(text, 3))))).toEqual(endOf(() => parsed(text)));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['{"a": 1,\n"b": }', 2, /^the end of an object is not allowed here$/],
    ['{"a": 1\n"b": 2}', 2, /^there is a value, but a comma or end is expected$/],
    ['{"a": 1,\n}', 2, /^the end of an object is not allowed here/],
    ['[1 2]', 1, /^there is a value, but a comma or end is expected/],
    ['{"a": tru\n}', 1, /^tru is not a JSON value$/],
    ['{"a": 01}', 1, /^01 is not a JSON value/],
    ['{"a": "b\nc"}', 1, /^a string does not end on its line$/],
    ['{"a": "\\x"}', 1, /is not an escape sequence of JSON/],
    ['{"a": "\\u12g4"}', 1, /four hexadecimal digits/],
    ["{'a': 1}", 1, /^JSON does not allow the character "'" here$/],
    ['{"a": [\n\n', 3, /^the file ends within an array$/],
    ['{"a": "b', 1, /^the file ends within a string$/],
    ['{} {}', 1, /^there is text after the end/],
    ['[}', 1, /^the end of an object is not allowed here$/],
  ])('is refused if it is %j', (text, line, reason) => {
    expect(refusal(text)).toMatchObject({ line, reason: expect.stringMatching(reason) as string });
  });

  it.each([
    ['nested', '['.repeat(MAX_DEPTH + 1), /nested more than 200 deep/],
    ['keyed', `{"${'k'.repeat(100_000)}":1}`, /a key has more than/],
    ['long', `[${'1'.repeat(100_000)}]`, /more than 1024 digits/],
  ])('attack 9: is refused when it is too deeply %s', (_what, text, reason) => {
    expect(refusal(text).reason).toMatch(reason);
  });

  it('attack 9: keeps only the beginning of an endless string', () => {
    const builder = new Builder();
    const json = new BoundedJson('report.json', builder);
    json.write('["');
    for (let piece = 0; piece < 1_000; piece++) json.write('x'.repeat(65_536));
    json.write('"]');
    json.end();
    expect((builder.root as string[])[0]).toHaveLength(MAX_TEXT_CHARACTERS);
  });
});
