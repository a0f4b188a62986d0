import { tooMuchIn } from './json-text';

const DEEP = 'be nested deeper than 64 levels';
const MANY = 'have more than 100000 objects, lists and fields';
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const found = (text: string) => tooMuchIn(Buffer.from(text));

describe('attack 9: a JSON text', () => {
  it('may be nested 64 levels deep, and no deeper', () => {
    expect(found(nested(64))).toBeNull();
    expect(found(nested(65))).toBe(DEEP);
    expect(found(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toBe(DEEP);
  });

  it('may have 100,000 objects, lists and fields, and no more', () => {
    const rest = 100_000 - 1;
    expect(found(`[${'{},'.repeat(rest - 1)}{}]`)).toBeNull();
    expect(found(`[${'{},'.repeat(rest)}{}]`)).toBe(MANY);
    expect(found(`[${'[],'.repeat(rest)}[]]`)).toBe(MANY);
    expect(found(`{${'"a":1,'.repeat(rest - 1)}"a":1}`)).toBeNull();
    expect(found(`{${'"a":1,'.repeat(rest)}"a":1}`)).toBe(MANY);
  });

  it('may have millions of texts and numbers in a list', () => {
    expect(found(`[${'"b",1,'.repeat(1_000_000)}0]`)).toBeNull();
  });

  it('is not counted inside strings, which end where JSON ends them', () => {
    expect(found(JSON.stringify(nested(100) + ':'.repeat(200_000)))).toBeNull();
    expect(found(`["\\"${nested(100)}"]`)).toBeNull();
    expect(found(`["\\\\"${nested(100)}]`)).toBe(DEEP);
  });

  it('that is cut off is counted up to its end', () => {
    expect(found('{"a')).toBeNull();
    expect(found('['.repeat(1_000_000))).toBe(DEEP);
  });
});
