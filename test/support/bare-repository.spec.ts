import { BareRepository } from './bare-repository';

describe('a repository of tests', () => {
  let git: BareRepository;

  beforeEach(() => {
    git = BareRepository.create('acme', 'widgets', { 'a.txt': 'a\n' });
  });
  afterEach(() => git.close());

  it('is pushed to without force only onto what is there', () => {
    const start = git.tip('main');
    const landed = git.pushTo('main', { 'b.txt': 'b\n' });
    const push = (from: string) => git.commitTo('refs/heads/main', from, { 'c.txt': 'c\n' }, { isForced: false });
    expect(() => push(start)).toThrow();
    expect(git.tip('main')).toBe(landed);
    expect(push(landed)).toBe(git.tip('main'));
    expect(Object.keys(git.files(git.tip('main')))).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });
});
