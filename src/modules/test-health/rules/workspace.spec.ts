import { CodeOwners } from './code-owners';
import { Workspace } from './workspace';
import { leastCpuMs } from '../../../../test/support/least-cpu';

const SHOP = { owner: 'acme', name: 'shop' };

describe('the workspace of a report', () => {
  const unknown = new Workspace(SHOP, null);

  it.each([
    '/home/runner/work/shop/shop/src/a.ts',
    '/Users/runner/work/shop/shop/src/a.ts',
    '/__w/shop/shop/src/a.ts',
    'D:\\a\\shop\\shop\\src\\a.ts',
    'D:/a/shop/shop/src/a.ts',
    'file:///home/runner/work/shop/shop/src/a.ts',
    'file:///D:/a/shop/shop/src/a.ts',
    '/builds/acme/shop/src/a.ts',
    '/home/gitlab-runner/builds/t1_Ab-9/0/acme/shop/src/a.ts',
    '/var/lib/buildkite-agent/builds/agent-1/acme/shop/src/a.ts',
    '/home/travis/build/acme/shop/src/a.ts',
    '/var/jenkins_home/workspace/shop_main/src/a.ts',
    '/var/lib/jenkins/workspace/shop@2/src/a.ts',
    '/home/vsts/work/1/s/src/a.ts',
    'C:\\a\\1\\s\\src\\a.ts',
    '/opt/atlassian/pipelines/agent/build/src/a.ts',
    '/home/circleci/project/src/a.ts',
  ])('is found in %s, which has a checkout folder of a CI system', (path) => {
    expect(unknown.fileOf(path)).toBe('src/a.ts');
  });

  it.each([
    'src/a.ts',
    '/app/src/a.ts',
    '/home/runner/work/shop/other/src/a.ts',
    '/home/runner/work/other/other/src/a.ts',
    '/builds/acme/other/src/a.ts',
    '/mirror/home/runner/work/shop/shop/src/a.ts',
    '/home/bob/shop/src/a.ts',
    '',
  ])('is not found in %s, which stays unchanged', (path) => {
    expect(unknown.fileOf(path)).toBe(path);
    expect(unknown.textOf(path)).toBe(path);
  });

  it.each(['./src/a.ts', '././src/a.ts', 'src\\a.ts', 'src/a.ts:12', 'src/a.ts:12:7', './src/a.ts:12'])(
    'is removed together with additions of a runner: %s becomes src/a.ts',
    (path) => expect(unknown.fileOf(path)).toBe('src/a.ts'),
  );

  it.each(['./', '.', 'a:12', 'C:\\src\\a.ts', 'one\\two words', 'https://a.example/x.ts:8080/y'])(
    'is not found in %s, which has no additions of a runner',
    (path) => expect(unknown.fileOf(path)).toBe(path),
  );

  it.each([
    ['/srv/ci/7f3a/checkout', '/srv/ci/7f3a/checkout/src/a.ts'],
    ['/srv/ci/7f3a/checkout/', '/srv/ci/7f3a/checkout/src/a.ts'],
    ['C:/ci/7f3a', 'C:\\ci\\7f3a\\src\\a.ts'],
    ['C:\\ci\\7f3a', 'C:/ci/7f3a/src/a.ts'],
    ['/srv/a+b (1)', '/srv/a+b (1)/src/a.ts'],
  ])('is %s if the upload says so', (root, path) => {
    const workspace = new Workspace(SHOP, root);
    expect(workspace.fileOf(path)).toBe('src/a.ts');
    expect(workspace.fileOf(`${root.replace(/[\\/]$/, '')}-2/src/a.ts`)).not.toBe('src/a.ts');
  });

  it('is removed from names and messages wherever a path begins with it', () => {
    const workspace = new Workspace(SHOP, '/srv/ci/7f3a');
    expect(workspace.textOf('at run (/srv/ci/7f3a/src/a.ts:1:2), see "/builds/acme/shop/b.ts"')).toBe(
      'at run (src/a.ts:1:2), see "b.ts"',
    );
    expect(workspace.textOf('copies to /backup/srv/ci/7f3a/src and x/srv/ci/7f3a/src')).toBe(
      'copies to /backup/srv/ci/7f3a/src and x/srv/ci/7f3a/src',
    );
  });

  it('gives a file with an absolute path the owners of its path in the repository', () => {
    const owners = new CodeOwners('/src/ @team');
    expect(owners.of(unknown.fileOf('/home/runner/work/shop/shop/src/a.ts'))).toEqual(['@team']);
  });

  it('attack 17: is removed in linear time from a text that repeats beginnings of paths', () => {
    const hostile = '/var/lib/buildkite-agent/builds/'.repeat(20_000) + '/'.repeat(200_000) + 'file:'.repeat(50_000);
    expect(unknown.textOf(hostile)).toBe(hostile);
    expect(leastCpuMs(() => unknown.textOf(hostile), 2_000)).toBeLessThan(2_000);
  });
});
