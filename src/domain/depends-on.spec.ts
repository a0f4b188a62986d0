import { dependsOnIn } from './depends-on';
import { leastCpuMs } from '../../test/support/least-cpu';

describe('Dependencies in a description', () => {
  it.each<[string, readonly number[]]>([
    ['Depends-On: #12', [12]],
    ['It adds a flag.\r\n\r\nDepends-On: #12\r\ndepends-on: #13, #14 and #12\r\n', [12, 13, 14]],
    ['  DEPENDS-ON:#7', [7]],
    ['- Depends-On: #12', []],
    ['It no longer Depends-On: #12', []],
    ['Depends-On: other/repository#12', []],
    ['Depends-On: https://host.example/pulls/12', []],
    ['Depends-On: #0, #x, #12x', []],
    ['<!-- for instance\nDepends-On: #12\n-->\nDepends-On: #13', [13]],
    ['Depends-On: #1 <!-- Depends-On: #2', [1]],
    ['', []],
  ])('are found: %j gives %j', (description, numbers) => expect(dependsOnIn(description)).toEqual(numbers));

  it('attack 12: are found within milliseconds, and at most 50, in a description of any length', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `Depends-On: #${i + 1}`).join('\n');
    const spaces = `Depends-On:${' '.repeat(60_000)}#`;
    expect(dependsOnIn(many)).toHaveLength(50);
    expect(dependsOnIn(spaces)).toEqual([]);
    expect(dependsOnIn('<!--'.repeat(16_000))).toEqual([]);
    for (const text of [many, spaces, '<!--'.repeat(16_000)])
      expect(leastCpuMs(() => dependsOnIn(text), 500)).toBeLessThan(500);
  });
});
