import { TestSet } from '../../rules/test-set';
import { UploadedTestSets } from './uploaded-test-sets';

const A = '0a000000-0000-4000-8000-000000000000';
const B = '0b000000-0000-4000-8000-000000000000';

describe('The tests of an upload', () => {
  it('count as skipped only if no report has a run of them', () => {
    const sets = new UploadedTestSets();
    sets.beginReport();
    sets.add(A, 'skipped');
    sets.add(B, 'skipped');
    sets.add(B, 'failed');
    expect(sets.skipped()).toEqual(bytesOf([A]));
    sets.beginReport();
    sets.add(A, 'passed');
    expect(sets.skipped()).toEqual(bytesOf([]));
  });

  it('no longer include the tests and runs of a report that is dropped', () => {
    const sets = new UploadedTestSets();
    sets.beginReport();
    sets.add(A, 'skipped');
    const drop = sets.beginReport();
    sets.add(A, 'passed');
    sets.add(B, 'passed');
    drop();
    expect([sets.all.toBytes(), sets.skipped()]).toEqual([bytesOf([A]), bytesOf([A])]);
    sets.add(B, 'skipped');
    expect(sets.skipped()).toEqual(bytesOf([A, B]));
  });

  it('may be more than the initial capacity of the flags', () => {
    const sets = new UploadedTestSets();
    const ids = Array.from(
      { length: 5_000 },
      (_, n) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    );
    for (const id of ids) sets.add(id, 'passed');
    sets.add(A, 'skipped');
    expect(sets.skipped()).toEqual(bytesOf([A]));
  });
});

function bytesOf(ids: readonly string[]): Buffer | null {
  const set = new TestSet();
  for (const id of ids) set.add(id);
  return set.toBytes();
}
