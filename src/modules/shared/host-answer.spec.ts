import { HostUnavailable } from '../../domain/code-host.port';
import { answerOfHost } from './host-answer';

const never = new Promise<never>(() => undefined);

describe('a query to a code host', () => {
  it('returns the answer of the code host', async () => {
    await expect(answerOfHost('git.example', () => Promise.resolve(7))).resolves.toBe(7);
  });

  it('becomes UPSTREAM_ERROR when the host does not answer in time', async () => {
    await expect(answerOfHost('git.example', () => never, 5)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.stringContaining('git.example') as string,
    });
  });

  it('becomes UPSTREAM_ERROR when the host is unavailable, without the words of the adapter', async () => {
    const down = () => Promise.reject(new HostUnavailable('git.example', 'no_answer', '/srv/git is gone'));
    await expect(answerOfHost('git.example', down)).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: expect.not.stringContaining('/srv/git') as string,
    });
  });

  it('attack 13: reports the true reason when the code host answers, but refuses the service', async () => {
    const refused = new HostUnavailable('git.example', 'no_access', 'it does not take the credentials');
    await expect(answerOfHost('git.example', () => Promise.reject(refused))).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message:
        'The code host git.example refuses this service: it does not take the credentials. Nothing was changed. sluice doctor lists what to fix.',
    });
  });

  it('attack 16: reports the true reason when another repository has the name', async () => {
    const why = 'git.example: acme/shop is not the registered repository';
    const another = new HostUnavailable('git.example', 'another_repository', why);
    await expect(answerOfHost('git.example', () => Promise.reject(another))).rejects.toMatchObject({
      code: 'UPSTREAM_ERROR',
      message: `${why}. Nothing was changed.`,
    });
  });

  it('rethrows an error that is a bug', async () => {
    const bug = new TypeError('undefined is not a function');
    await expect(answerOfHost('git.example', () => Promise.reject(bug))).rejects.toBe(bug);
  });
});
