import { storable } from './storable';

describe('attack 12: text that PostgreSQL cannot store', () => {
  it.each([
    ['a\0b', 'a\u{fffd}b'],
    ['\ud83d', '\u{fffd}'],
    ['\ude00\ud83d', '\u{fffd}\u{fffd}'],
    ['x\ud83d\ude00\0', 'x😀\u{fffd}'],
  ])('%j becomes %j', (text, expected) => {
    expect(storable(text)).toBe(expected);
  });

  it('is replaced in lists, maps and objects at any depth', () => {
    const hostile = { pulls: [{ title: 'a\0' }], heads: new Map([['b\0', { body: 'c\0' }]]) };
    const expected = { pulls: [{ title: 'a\u{fffd}' }], heads: new Map([['b\u{fffd}', { body: 'c\u{fffd}' }]]) };
    expect(storable(hostile)).toEqual(expected);
  });

  it('is the only part that changes', () => {
    const fine = { at: new Date(0), text: 'Grüße 😀\n', list: [1, null, undefined], map: new Map([[1, 'one']]) };
    expect(storable(fine)).toBe(fine);
  });
});
