import { GitFailed, GitRefused, GitStopped } from '../git-command';
import { refusalOf } from './checkout';

describe('A checkout that git refuses', () => {
  const failed = (stderr: string) => new GitFailed('checkout-index', { code: 128, stdout: Buffer.alloc(0), stderr });

  it("is blamed on the commit, in git's own words", () => {
    expect(refusalOf(failed('error: unable to create file xx: File name too long'))).toContain('File name too long');
    expect(refusalOf(new GitRefused('git read-tree needed more than 1024 MiB of memory'))).toContain('1024 MiB');
  });

  it.each([
    failed('error: unable to create file a: No space left on device'),
    failed('error: unable to read sha1 file of a (1234)'),
    new GitStopped('git read-tree was ended by SIGKILL'),
    new Error('no folder'),
  ])('is not blamed on the commit: %s', (error) => {
    expect(refusalOf(error)).toBeNull();
  });
});
