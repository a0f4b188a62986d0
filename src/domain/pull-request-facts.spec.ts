import { couldSeeHead } from './pull-request-facts';

describe('attack 2: a request means the head that its author could see', () => {
  it.each<[string, number | null, (number | null)[], boolean]>([
    ['was there before the request', 10, [9], true],
    ['came at the same moment', 10, [10], true],
    ['came later', 10, [11], false],
    ['was noticed late, but the host recorded an earlier push', 10, [11, 9], true],
    ['was noticed late, and the host recorded a later push', 10, [12, 11], false],
    ['was noticed late, and the host has no record of the push', 10, [11, null], false],
    ['is any head, for a request that means none in particular', null, [11], true],
  ])('a head that %s', (_, askedAt, thereBy, expected) => {
    expect(couldSeeHead(askedAt, ...thereBy)).toBe(expected);
  });
});
