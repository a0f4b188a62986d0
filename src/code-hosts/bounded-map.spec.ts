import { BoundedMap } from './bounded-map';

describe('a bounded map', () => {
  it('forgets the least recently used entry', () => {
    const map = new BoundedMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
    map.set('a', 4);
    map.set('d', 5);
    expect(['a', 'c', 'd'].map((key) => map.get(key))).toEqual([4, undefined, 5]);
  });

  it('forgets a deleted entry, which makes room for another entry', () => {
    const map = new BoundedMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.delete('b');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  });
});
