import { skippedWithoutReason, type UploadedTests } from './skipped-tests';
import { idsOfKey, missingKeys, TestSet } from './test-set';

const idOf = (number: number): string => idsOfKey(BigInt(number))[0];

function setOf(...numbers: readonly number[]): Buffer {
  const set = new TestSet();
  for (const number of numbers) set.add(idOf(number));
  return set.toBytes()!;
}

function upload(tests: readonly number[], skipped: readonly number[] | null): UploadedTests {
  return { tests: setOf(...tests), skipped: skipped === null ? null : setOf(...skipped) };
}

const numbersOf = (set: Buffer): number[] => missingKeys(set, Buffer.alloc(0)).map(Number);
const FULL = upload([1, 2, 3, 4], []);

describe('a skipped test without a mark', () => {
  it.each([
    ['ran before', { compared: [FULL] }, [2, 3]],
    ['is new', { compared: [upload([1, 4], [])] }, []],
    ['was skipped before, too', { compared: [upload([1, 2, 3], [2])] }, [3]],
    ['ran in one of the runs', { compared: [upload([1, 2], [2]), FULL] }, [2, 3]],
    ['was skipped in a run that exited with 0', { compared: [FULL], passed: [upload([2, 3], [3])] }, [2]],
    ['ran in another shard', { compared: [FULL], shards: [upload([2, 3], [3])] }, [3]],
    ['belongs to a run with unknown skipped tests', { compared: [upload([1, 2, 3], null)] }, [2, 3]],
    [
      'was not run in a passed run with unknown skipped tests',
      { compared: [FULL], passed: [upload([2, 3], null)] },
      [2, 3],
    ],
    ['belongs to a shard with unknown skipped tests', { compared: [FULL], shards: [upload([2, 3], null)] }, [2, 3]],
  ])('is reported unless an earlier run or a shard explains it: %s', (_what, given, expected) => {
    const found = skippedWithoutReason({ skipped: setOf(3, 2), passed: [], shards: [], ...given });
    expect(numbersOf(found)).toEqual(expected);
  });
});
