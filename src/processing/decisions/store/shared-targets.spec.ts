import fc from 'fast-check';
import { areasShared, type ImpactingEntry, pairsSharing, sharesTargets, type TargetSet } from './shared-targets';

const ALL: TargetSet = { all: true, hashes: new Float64Array() };
const NONE = these();

function these(...hashes: number[]): TargetSet {
  return { all: false, hashes: Float64Array.from(hashes).sort() };
}

describe('sharesTargets', () => {
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
  ] as const)('compares two pull requests with %s', (_what, a, b, expected) => {
    expect([sharesTargets(a, b), sharesTargets(b, a)]).toEqual([expected, expected]);
  });

  it('finds a shared target in lists of very different lengths', () => {
    const even = these(...Array.from({ length: 1_000 }, (_, i) => i * 2));
    for (const hash of [0, 2, 998, 1_000, 1_998]) {
      expect(sharesTargets(even, these(hash))).toBe(true);
      expect(sharesTargets(even, these(hash - 1, hash + 1))).toBe(false);
    }
  });
});

describe('pairsSharing', () => {
  const pairsOf = (...entries: [string, TargetSet][]) => {
    const sharing = pairsSharing(entries.map(([entryId, targets]) => ({ entryId, targets })));
    return Object.fromEntries([...sharing].map(([entryId, others]) => [entryId, [...others].sort().join(' ')]));
  };

  it('names every pair in both directions, and no entry that impacts nothing', () => {
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

  it('joins the targets of all heads of an entry, and pairs the entry with itself', () => {
    const pairs = pairsOf(['a', these(1)], ['b', these(2)], ['a', these(2)], ['a', NONE]);
    expect(pairs).toEqual({ a: 'a b', b: 'a b' });
  });
});

describe('pairsSharing of random entries', () => {
  const many = fc.integer({ min: 60, max: 70 }).map((count) => these(...Array.from({ length: count }, (_, i) => i)));
  const few = fc.uniqueArray(fc.integer({ min: 0, max: 90 }), { maxLength: 4 }).map((hashes) => these(...hashes));
  const targets = fc.oneof({ weight: 8, arbitrary: few }, many, fc.constantFrom(ALL, NONE));
  const entryOf = fc.record({ entryId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), targets });

  it('equals a comparison of every two entries, in the same order', () => {
    fc.assert(
      fc.property(fc.array(entryOf, { maxLength: 12 }), (entries) => {
        const found = [...pairsSharing(entries)].map(([entryId, others]) => [entryId, [...others]]);
        expect(found).toEqual(eachTwoOf(entries));
      }),
    );
  });

  function eachTwoOf(entries: readonly ImpactingEntry[]): readonly (readonly [string, readonly string[]])[] {
    const impacting = entries.filter((entry) => entry.targets.all || entry.targets.hashes.length > 0);
    const pairs = impacting.flatMap((a, i) => impacting.slice(i + 1).map((b) => [a, b] as const));
    const sharing = new Map(impacting.map(({ entryId }) => [entryId, new Set([entryId])]));
    for (const [a, b] of pairs.filter((pair) => sharesTargets(pair[0].targets, pair[1].targets))) {
      sharing.get(a.entryId)!.add(b.entryId);
      sharing.get(b.entryId)!.add(a.entryId);
    }
    return [...sharing].map(([entryId, others]) => [entryId, [...others]] as const);
  }
});

describe('areasShared', () => {
  const areasOf = (...entries: [string, TargetSet][]) =>
    Object.fromEntries(areasShared(entries.map(([entryId, targets]) => ({ entryId, targets }))));

  it('gives the targets that an entry has in common with other entries', () => {
    const entries: [string, TargetSet][] = [
      ['a', these(1, 2, 3)],
      ['b', these(2, 4)],
      ['c', these(3, -5)],
      ['alone', these(9)],
    ];
    expect(areasOf(...entries)).toEqual({ a: [2, 3], b: [2], c: [3] });
  });

  it('joins the targets of all heads of an entry, without targets that only heads of this entry share', () => {
    expect(areasOf(['a', these(1, 2)], ['a', these(1, 3)], ['b', these(3)], ['c', these(2)])).toEqual({
      a: [2, 3],
      b: [3],
      c: [2],
    });
  });

  it('leaves out entries that impact everything, nothing, or more than 64 targets', () => {
    const many = these(...Array.from({ length: 65 }, (_, i) => i));
    expect(areasOf(['a', ALL], ['b', NONE], ['c', many], ['d', these(1)], ['e', many])).toEqual({});
    const most = these(...Array.from({ length: 64 }, (_, i) => i));
    expect(areasOf(['c', most], ['d', these(1)])).toEqual({ c: [1], d: [1] });
  });
});
