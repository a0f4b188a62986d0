import { areasShared, pairsSharing, sharesTargets, type TargetSet } from './shared-targets';

const ALL: TargetSet = { all: true, hashes: new Float64Array() };
const NONE = these();

function these(...hashes: number[]): TargetSet {
  return { all: false, hashes: Float64Array.from(hashes).sort() };
}

describe('Two pull requests', () => {
  it.each([
    ['one target in common', these(-7, 1, 3), these(2, 3, 9), true],
    ['the first of many in common', these(-7), these(-7, 1, 3), true],
    ['the last in common', these(1, 9), these(-2, 9), true],
    ['no target in common', these(1, 3, 5), these(2, 4, 6), false],
    ['ALL and some', ALL, these(1), true],
    ['ALL both', ALL, ALL, true],
    ['ALL and none', ALL, NONE, false],
    ['none both', NONE, NONE, false],
    ['some and none', these(1), NONE, false],
  ] as const)('with %s', (_what, a, b, expected) => {
    expect([sharesTargets(a, b), sharesTargets(b, a)]).toEqual([expected, expected]);
  });

  it('are compared alike however many targets they have', () => {
    const even = these(...Array.from({ length: 1_000 }, (_, i) => i * 2));
    for (const hash of [0, 2, 998, 1_000, 1_998]) {
      expect(sharesTargets(even, these(hash))).toBe(true);
      expect(sharesTargets(even, these(hash - 1, hash + 1))).toBe(false);
    }
  });
});

describe('Shared targets', () => {
  const pairsOf = (...entries: [string, TargetSet][]) => {
    const sharing = pairsSharing(entries.map(([entryId, targets]) => ({ entryId, targets })));
    return Object.fromEntries([...sharing].map(([entryId, others]) => [entryId, [...others].sort().join(' ')]));
  };

  it('name every pair in both directions, and nobody who impacts nothing', () => {
    const entries: [string, TargetSet][] = [
      ['a', these(1, 2)],
      ['b', these(2, 3)],
      ['c', these(3)],
      ['everything', ALL],
      ['nothing', NONE],
    ];
    const expected = {
      a: 'a b everything',
      b: 'a b c everything',
      c: 'b c everything',
      everything: 'a b c everything',
    };
    expect(pairsOf(...entries)).toEqual(expected);
    expect(pairsOf(...entries.toReversed())).toEqual(expected);
  });

  it('are those of all heads of an entry, itself at another head included', () => {
    const pairs = pairsOf(['a', these(1)], ['b', these(2)], ['a', these(2)], ['a', NONE]);
    expect(pairs).toEqual({ a: 'a b', b: 'a b' });
  });
});

describe('Shared areas', () => {
  const areasOf = (...entries: [string, TargetSet][]) =>
    Object.fromEntries(areasShared(entries.map(([entryId, targets]) => ({ entryId, targets }))));

  it('are the targets that an entry has in common with others', () => {
    const entries: [string, TargetSet][] = [
      ['a', these(1, 2, 3)],
      ['b', these(2, 4)],
      ['c', these(3, -5)],
      ['alone', these(9)],
    ];
    expect(areasOf(...entries)).toEqual({ a: [2, 3], b: [2], c: [3] });
  });

  it('are those of all heads of an entry, and none that only these have in common', () => {
    expect(areasOf(['a', these(1, 2)], ['a', these(1, 3)], ['b', these(3)], ['c', these(2)])).toEqual({
      a: [2, 3],
      b: [3],
      c: [2],
    });
  });

  it('are none of what impacts everything, nothing, or more than 64 targets', () => {
    const many = these(...Array.from({ length: 65 }, (_, i) => i));
    expect(areasOf(['a', ALL], ['b', NONE], ['c', many], ['d', these(1)], ['e', many])).toEqual({});
    const most = these(...Array.from({ length: 64 }, (_, i) => i));
    expect(areasOf(['c', most], ['d', these(1)])).toEqual({ c: [1], d: [1] });
  });
});
