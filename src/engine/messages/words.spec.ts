import { code } from '../wording/markdown';
import { inConflict, inFiles } from '../wording/words';

describe('attack 12: the files of a conflict, when there are thousands of them', () => {
  const paths = Array.from({ length: 5_000 }, (_, index) => `${'folder/'.repeat(500)}${index}.txt`);

  it('are named up to a limit, each with a part of its path', () => {
    const text = inFiles(paths, code);
    expect(text.length).toBeLessThan(5_000);
    expect(text).toMatch(/^ in `folder\/[^`]*…`, .* and others$/);
  });

  it('are named with the reason of the conflict, if a reason is known', () => {
    const conflict = { files: ['a.txt', 'constructor'], reasons: { 'a.txt': 'both sides add this file' } };
    expect(inConflict(conflict, code)).toBe(' in `a.txt` (both sides add this file), `constructor`');
    expect(inConflict({ files: [], reasons: { '': 'they have no commit in common' } })).toBe(
      ' (they have no commit in common)',
    );
    expect(inConflict({ files: paths }, code)).toBe(inFiles(paths, code));
  });

  it('are all named only when they are few', () => {
    expect([inFiles(['a.txt', 'b.txt']), inFiles([])]).toEqual([' in a.txt, b.txt', '']);
  });
});
