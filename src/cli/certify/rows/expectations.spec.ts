import { expectations } from './expectations';

type Matchers = Record<string, (expected?: unknown) => unknown>;
type Expect = ((actual: unknown) => Matchers & { not: Matchers; rejects: Matchers }) & {
  stringContaining: (part: string) => unknown;
  not: { stringContaining: (part: string) => unknown };
};

class Point {
  constructor(readonly x: number) {}
}

const DATE = new Date(0);

/** Pairs of actual and expected values. Both implementations of `expect` must give the same verdict on each pair. */
const cases = (e: Expect): readonly (readonly [name: string, actual: unknown, expected?: unknown])[] => [
  ...[1, '1', null, undefined, Number.NaN, DATE].flatMap((one) =>
    [1, '1', null, undefined, Number.NaN, DATE].flatMap((other) =>
      ['toBe', 'toEqual'].map((name) => [name, one, other] as const),
    ),
  ),
  ['toEqual', { a: 1, b: undefined }, { a: 1 }],
  ['toEqual', { a: 1 }, { a: 1, b: undefined }],
  ['toEqual', { a: 1, b: 2 }, { a: 1 }],
  ['toEqual', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }],
  ['toEqual', { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }],
  ['toEqual', [1, 2], [1, 2, 3]],
  ['toEqual', [1, 2], [2, 1]],
  ['toEqual', new Date(0), new Date(0)],
  ['toEqual', new Date(0), new Date(1)],
  ['toEqual', { why: 'it is protected' }, { why: e.stringContaining('protected') }],
  ['toEqual', { why: 'no' }, { why: e.stringContaining('protected') }],
  ['toEqual', { why: 'no' }, { why: e.not.stringContaining('protected') }],
  ['toEqual', { why: 7 }, { why: e.stringContaining('7') }],
  ['toEqual', null, {}],
  ['toEqual', [], {}],
  ['toMatchObject', { a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } }],
  ['toMatchObject', { a: 1, b: { c: 2, d: 3 } }, { b: { c: 3 } }],
  ['toMatchObject', { a: 1 }, { b: undefined }],
  ['toMatchObject', { list: [{ a: 1, b: 2 }] }, { list: [{ a: 1 }] }],
  ['toMatchObject', { list: [{ a: 1 }, { a: 2 }] }, { list: [{ a: 1 }] }],
  ['toMatchObject', [{ a: 1, b: 2 }], [{ a: 1 }]],
  ['toContain', ['a', 'b'], 'b'],
  ['toContain', ['a', 'b'], 'c'],
  ['toContain', 'abc', 'bc'],
  ['toContain', [[1]], [1]],
  ['toHaveLength', [1, 2], 2],
  ['toHaveLength', 'ab', 3],
  ['toMatch', 'abc', /b/],
  ['toMatch', 'abc', 'bc'],
  ['toMatch', 'abc', /d/],
  ['toBeNull', null],
  ['toBeNull', undefined],
  ['toBeInstanceOf', new Point(1), Point],
  ['toBeInstanceOf', {}, Point],
];

function verdicts(e: Expect, isNegated: boolean): readonly boolean[] {
  return cases(e).map(([name, actual, expected]) => {
    const matchers = isNegated ? e(actual).not : e(actual);
    try {
      matchers[name]!(expected);
      return true;
    } catch {
      return false;
    }
  });
}

describe('the expect function of certify', () => {
  const own = expectations as unknown as Expect;
  const jests = expect as unknown as Expect;

  it.each([false, true])('agrees with jest (negated: %s)', (isNegated) => {
    const named = (e: Expect) => verdicts(e, isNegated).map((passes, index) => [cases(own)[index], passes]);
    expect(named(own).map(([, passes]) => passes)).toEqual(named(jests).map(([, passes]) => passes));
  });

  it('waits for the rejection of a promise', async () => {
    const failing = () => Promise.reject(new TypeError('no'));
    expect(await own(failing()).rejects.toMatchObject!({ name: 'TypeError' })).toBeUndefined();
    await expect(own(failing()).rejects.toMatchObject!({ name: 'RangeError' })).rejects.toThrow('TypeError');
    await expect(own(Promise.resolve(7)).rejects.toMatchObject!({})).rejects.toThrow('expected a failure, got 7');
  });

  it('reports the actual value on a mismatch', () => {
    expect(() => own({ a: 1 }).toMatchObject!({ a: 2 })).toThrow('expected what has { a: 2 }, got { a: 1 }');
    expect(() => own([1]).toHaveLength!(2)).toThrow('expected the length 2, got 1');
  });
});
