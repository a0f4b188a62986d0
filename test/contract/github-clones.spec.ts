import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeHost } from '../../src/domain/code-host.port';
import { GitHubDouble } from '../support/github/github-double';
import type { RepositoryDouble } from '../support/github/repository-double';
import { type Connection, connectTo, GITHUB_HOST, GITHUB_WIDGETS } from './github-host';

/** Another registered repository, which took the name of the first repository. */
const ANOTHER = { ...GITHUB_WIDGETS, id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };

describe('attack 16: a clone belongs to one registered repository of GitHub, whatever its name', () => {
  let github: GitHubDouble;
  let widgets: RepositoryDouble;
  let connection: Connection;
  let host: CodeHost;
  let folder: string;

  beforeEach(async () => {
    github = await GitHubDouble.start();
    widgets = github.createRepository('acme', 'widgets');
    connection = connectTo(github);
    ({ host } = connection);
    folder = join(connection.dataDirectory, 'clones', GITHUB_HOST);
  });
  afterEach(async () => {
    await github.close();
    connection.release();
  });

  it('has nothing of the repository that had its name before', async () => {
    const commit = widgets.pushToBranch('main', { 'ours.txt': 'ours' });
    expect(await host.readTree(GITHUB_WIDGETS, commit)).not.toBeNull();
    widgets.renameTo('gadgets');
    github.createRepository('acme', 'widgets').pushToBranch('main', { 'other.txt': 'other' });
    expect(await host.readTree(ANOTHER, commit)).toBeNull();
    expect(await host.readTree({ ...GITHUB_WIDGETS, name: 'gadgets' }, commit)).not.toBeNull();
    expect(readdirSync(folder).sort()).toEqual([`${GITHUB_WIDGETS.id}.git`, `${ANOTHER.id}.git`].sort());
  });

  it('made by an earlier version, which named it after the repository, is still used', async () => {
    await host.readTree(GITHUB_WIDGETS, widgets.tip('main'));
    const [now, earlier] = [join(folder, `${GITHUB_WIDGETS.id}.git`), join(folder, 'acme', 'widgets.git')];
    const { ino } = statSync(now);
    mkdirSync(join(folder, 'acme'));
    renameSync(now, earlier);
    expect(await host.readTree(GITHUB_WIDGETS, widgets.tip('main'))).not.toBeNull();
    expect(statSync(now).ino).toBe(ino);
    expect(readdirSync(join(folder, 'acme'))).toEqual([]);
  });
});
