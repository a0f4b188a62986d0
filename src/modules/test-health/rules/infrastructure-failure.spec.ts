import fc from 'fast-check';
import { DistinctTests } from './distinct-tests';
import { isInfrastructureFailure } from './infrastructure-failure';
import { testCaseId } from './test-identity';

describe('An infrastructure failure', () => {
  it.each([
    [{ ran: 100, healthyFailed: 26 }, true],
    [{ ran: 100, healthyFailed: 25 }, false],
    [{ ran: 9, healthyFailed: 9 }, false],
    [{ ran: 12, healthyFailed: 10 }, true],
    [{ ran: 0, healthyFailed: 0 }, false],
  ])('is found for %j at a limit of 0.25: %s', (totals, expected) => {
    expect(isInfrastructureFailure(totals, 0.25)).toBe(expected);
  });

  it('is never found at a limit of 1', () =>
    expect(isInfrastructureFailure({ ran: 1_000, healthyFailed: 1_000 }, 1)).toBe(false));
});

describe('distinct tests of several uploads', () => {
  const idOf = (test: number) =>
    testCaseId('7d1f0b7e-52a4-4c3e-9a61-0c9b7f3d2e11', {
      ...{ file: '', classname: '', parent: '', variant: '' },
      name: `test ${test}`,
    });

  it('are counted exactly while they are few', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100 })), fc.array(fc.nat({ max: 100 })), (some, others) => {
        const [one, other] = [new DistinctTests(), new DistinctTests()];
        for (const test of some) one.add(idOf(test));
        for (const test of others) other.add(idOf(test));
        other.addSketch(one.sketch);
        expect(other.count).toBe(new Set([...some, ...others]).size);
      }),
    );
  });

  it('are counted approximately when they are many, and a repeated test counts once', () => {
    const all = new DistinctTests();
    for (let shard = 0; shard < 40; shard++) {
      const upload = new DistinctTests();
      for (let test = shard; test < 20_000; test += 40) upload.add(idOf(test));
      all.addSketch(upload.sketch);
      all.addSketch(upload.sketch);
      expect(upload.sketch.length).toBeLessThanOrEqual(128);
    }
    expect(Math.abs(all.count - 20_000)).toBeLessThan(4_000);
  });
});
