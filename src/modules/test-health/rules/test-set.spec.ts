import { randomUUID } from 'node:crypto';
import { idsOfKey, missingKeys, TestSet } from './test-set';
import { leastCpuMs } from '../../../../test/support/least-cpu';

const setOf = (ids: readonly string[]): TestSet => {
  const set = new TestSet();
  for (const id of ids) set.add(id);
  return set;
};

describe('The set of the tests of an upload', () => {
  const ids = Array.from({ length: 5_000 }, () => randomUUID());

  it('has the same bytes in any order, however often a test ran', () => {
    const bytes = setOf(ids).toBytes();
    expect(bytes).toHaveLength(5_000 * 8);
    expect(setOf([...ids, ...ids].reverse()).toBytes()).toEqual(bytes);
  });

  it('finds the tests that another set lacks, each as a range of possible ids', () => {
    const lost = [ids[7]!, ids[4_000]!, ids[4_999]!];
    const found = setOf([randomUUID(), ...ids.filter((id) => !lost.includes(id))]).toBytes()!;
    const ranges = missingKeys(setOf(ids).toBytes()!, found).map(idsOfKey);
    expect(ranges).toHaveLength(3);
    for (const id of lost) expect(ranges.some(([first, last]) => first <= id && id <= last)).toBe(true);
    expect(missingKeys(found, found)).toEqual([]);
    expect(missingKeys(setOf(lost).toBytes()!, Buffer.alloc(0))).toHaveLength(3);
  });

  it('can be cut to an earlier size, and then accepts the removed tests again', () => {
    const set = setOf(ids.slice(0, 1_000));
    for (const id of ids.slice(500)) set.add(id);
    set.cutTo(1_000);
    expect(set.toBytes()).toEqual(setOf(ids.slice(0, 1_000)).toBytes());
    for (const id of ids) set.add(id);
    expect(set.toBytes()).toEqual(setOf(ids).toBytes());
  });

  it('takes as long for the last of many tests as for the first', () => {
    const many = Array.from({ length: 100_000 }, (_, test) => `${(test * 2_654_435_761) % 2 ** 32}`);
    const uuids = many.map((number) => Number(number).toString(16).padStart(8, '0') + randomUUID().slice(8));
    // Adding the ids would take minutes if the version digit of an id decided its slot.
    expect(leastCpuMs(() => setOf([...uuids, ...uuids, ...uuids]), 5_000)).toBeLessThan(5_000);
  });

  it('gives up above its limit of 262,144 tests', () => {
    const set = new TestSet();
    for (let test = 0; test <= 262_144; test++) {
      const text = ((test * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0').padEnd(16, '0');
      set.add(`${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12)}-8000-000000000000`);
    }
    expect([set.size, set.toBytes()]).toEqual([262_144, null]);
  });
});
