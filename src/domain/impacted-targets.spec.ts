import { checkTargets, hashesOf, targetsOf } from './impacted-targets';

describe('Impacted targets', () => {
  it.each(['ALL', 'all', 'IMPACTS_ALL', 'Impacts_All'])(
    'are all parts of the repository if the request says %s',
    (word) => {
      expect(checkTargets(word)).toBeNull();
      expect(targetsOf(word)).toEqual({ all: true, names: [] });
    },
  );

  it('are stored once each, without empty names', () => {
    expect(targetsOf(['b', 'a', '', 'b'])).toEqual({ all: false, names: ['b', 'a'] });
  });

  it.each([undefined, null, 7, {}, 'EVERYTHING', ''])('are refused if the request says %j', (value) => {
    expect(checkTargets(value)).toBe('must be a list of strings, or ALL');
  });

  it.each([[['a', 7]], [['a', null]], [['a', 'x'.repeat(1_001)]], [['a', 'b\u0000']], [['a', '\ud800']]])(
    'are refused with the index of the first invalid element: %j',
    (value) => expect(checkTargets(value)).toContain('at index 1'),
  );

  it('may be an empty list, and each may be 1,000 characters long', () => {
    expect(checkTargets(['x'.repeat(1_000)])).toBeNull();
    expect(checkTargets([])).toBeNull();
  });

  it('have one hash per name, always the same, sorted as signed 64-bit numbers', () => {
    const hashes = [...hashesOf(['//a', '//b', '//c'])];
    expect(hashes).toEqual([...hashes].sort((a, b) => (a < b ? -1 : 1)));
    expect(new Set(hashes).size).toBe(3);
    expect(hashes).toContain(hashesOf(['//b'])[0]);
  });
});
