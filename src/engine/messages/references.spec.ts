import { withoutReferences } from './references';

describe('a text for a host', () => {
  it.each([
    ['Waits for #7, and #8.', 'Waits for `#7`, and `#8`.'],
    ['(#7) acme/shop#8 !9 GH-10', '(`#7`) `acme/shop#8` `!9` `GH-10`'],
    ['see https://git.example/acme/shop/pulls/7/files now', 'see `https://git.example/acme/shop/pulls/7/files` now'],
    ['group/sub/shop!7', '`group/sub/shop!7`'],
  ])('has code spans around references to pull requests: %s', (text, quiet) => {
    expect(withoutReferences(text)).toBe(quiet);
  });

  it.each([
    'Conflicts in `a#7`, and `#8` is code already.',
    '[`ci`](https://git.example/acme/shop/actions/runs/7#8)',
    '<!-- sluice-answer #7 -->',
    '```\n#7\n```',
    '### Testing\n\nabc#7 is a word, &#39; an entity, and 3!4 is none',
  ])('keeps text that is not a reference: %s', (text) => {
    expect(withoutReferences(text)).toBe(text);
  });

  it('is converted in linear time', () => {
    const times = [20_000, 80_000].map((length) => {
      const text = `${'a.'.repeat(length)}${'https://'.repeat(length / 10)}`;
      const before = process.cpuUsage();
      withoutReferences(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    expect(times[1]).toBeLessThan(16 * Math.max(times[0]!, 5_000));
  });
});
