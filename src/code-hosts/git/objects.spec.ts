import { describeCommit } from './objects';
import { leastCpuMs } from '../../../test/support/least-cpu';

const TREE = 'a'.repeat(40);
const ADA = 'Ada <ada@example.com> 1767323045 +0000';

function commit(author: string, message: string) {
  const content = Buffer.from(`tree ${TREE}\nauthor ${author}\ncommitter ${ADA}\n\n${message}`);
  return describeCommit({ id: 'b'.repeat(40), type: 'commit', content });
}

describe('The description of a commit', () => {
  it.each([
    ['Ada <ada@example.com> 1767323045 +0000', 'Ada', 'ada@example.com'],
    ['Ada  Lovelace <a <b> c> -1 -0130', 'Ada  Lovelace', 'a <b> c'],
    [' <> 0 +0000', '', ''],
    ['<a@b> 0 +0000', '', 'a@b'],
    ['Ada ada@example.com 0 +0000', '', ''],
    ['Ada <a@b>', '', ''],
  ])('has its author: %j', (line, name, email) => expect(commit(line, '').author).toEqual({ name, email }));

  it('has the first paragraph of its message as the title, on one line, and the rest as the body', () => {
    const message = '\n  Raise \n\tthe price  \n \t\nBecause.\n\nTwice.\n\n';
    expect(commit(ADA, message)).toMatchObject({ title: 'Raise the price', body: 'Because.\n\nTwice.' });
  });
});

describe('attack 12: a commit with a megabyte', () => {
  const much = (text: string): string => text.repeat(1_000_000 / text.length);

  it.each([
    ['of brackets in its author', much('<'), ''],
    ['of spaces in its author', much(' '), ''],
    ['of spaces in its title', ADA, `a${much(' ')}b`],
    ['of empty lines', ADA, `a${much('\n \t')}b`],
    ['of lines that end as on Windows', ADA, `a${much('\r\n')}b`],
  ])('%s is parsed at once', (_, author, message) => {
    const { title, body } = commit(author, message);
    expect(leastCpuMs(() => commit(author, message), 2_000)).toBeLessThan(2_000);
    expect(title.length + body.length).toBeLessThan(70_000);
  });
});
