import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '../ordinary-user.sh');

describe('test/ordinary-user.sh', () => {
  it("runs a command like an ordinary user, and exits with the command's code", () => {
    const asked = 'id -u; umask; pwd; ls -A "$HOME"; git config user.name; git config user.email; exit 7';
    // The user is `nobody`. This user exists everywhere, so the test creates no user when it runs as root.
    const env = { ...process.env, SLUICE_TEST_USER: 'nobody', GIT_AUTHOR_NAME: 'ada' };
    const { status, stdout, stderr } = spawnSync('bash', [SCRIPT, 'sh', '-c', asked], { encoding: 'utf8', env });
    const [uid, umask, folder, ...others] = stdout.trim().split('\n');
    expect({ status, stderr, umask, others }).toEqual({ status: 7, stderr: '', umask: '0077', others: [] });
    expect(uid).not.toBe('0');
    expect(folder).toMatch(/\/my clône\/sluice$/);
  });

  it.each([[[]], [['--unknown', 'true']]])('refuses the arguments %j', (words) => {
    const { status, stderr } = spawnSync('bash', [SCRIPT, ...words], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('bash test/ordinary-user.sh') as string,
    });
  });
});
