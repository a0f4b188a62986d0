import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BareRepository } from './bare-repository';

describe('the bare repository that tests use', () => {
  let git: BareRepository;

  beforeEach(() => {
    git = BareRepository.create('acme', 'widgets', { 'a.txt': 'a\n' });
  });
  afterEach(() => git.close());

  it('moves branches as git does', () => {
    const commit = git.tip('main');
    git.setBranch('topic/part', commit);
    expect(git.inBare('rev-parse', 'topic/part')).toBe(commit);
    // git may leave the folder `topic` behind without files.
    rmSync(join(git.bare, 'refs/heads/topic/part'));
    git.setBranch('topic', commit);
    expect(git.inBare('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/topic')).toBe(
      `refs/heads/topic ${commit}`,
    );
    expect(() => git.setBranch('topic/part', commit)).toThrow(/'refs\/heads\/topic' exists/);
    writeFileSync(join(git.bare, 'refs/heads/main.lock'), '');
    expect(() => git.setBranch('main', commit)).toThrow(/main\.lock.*File exists/s);
  });

  it('accepts a push without force only on top of the present tip', () => {
    const start = git.tip('main');
    const landed = git.pushTo('main', { 'b.txt': 'b\n' });
    const push = (from: string) => git.commitTo('refs/heads/main', from, { 'c.txt': 'c\n' }, { isForced: false });
    expect(() => push(start)).toThrow();
    expect(git.tip('main')).toBe(landed);
    expect(push(landed)).toBe(git.tip('main'));
    expect(Object.keys(git.files(git.tip('main')))).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });
});
