import { parseRepositoryName, parseRepositoryPath } from './repository-name';

describe('the name of a repository', () => {
  it.each([
    ['local/demo/widgets', 'local', 'demo', 'widgets'],
    ['Git.Example:8443/Acme/Widgets', 'Git.Example:8443', 'Acme', 'Widgets'],
    ['gitlab.com/group/sub/subsub/widgets', 'gitlab.com', 'group/sub/subsub', 'widgets'],
    ['github.com/acme/.github', 'github.com', 'acme', '.github'],
    ['local/_x/a.b-c_d', 'local', '_x', 'a.b-c_d'],
  ])('%s is split at the first and the last slash', (text, host, owner, name) => {
    expect(parseRepositoryName(text)).toEqual({ host, owner, name });
    expect(parseRepositoryPath(`${owner}/${name}`)).toEqual({ owner, name });
  });

  it.each([
    ...['', 'local', 'local/widgets', 'local//widgets', '/demo/widgets', 'local/demo/', 'local/demo//widgets'],
    ...['local/../widgets', 'local/demo/..', 'local/demo/.', 'local/a/../widgets', 'local/./widgets', 'local/.a/b'],
    ...['local/-demo/widgets', 'local/demo/-widgets', 'local/de mo/widgets', 'local/demo/wid\nget', 'local/dem\0o/w'],
    ...['lo cal/demo/widgets', '-local/demo/widgets', 'local:x/demo/widgets', 'local/demo/ünï', 'local/demo/$(x)'],
  ])('is not %j', (text) => {
    expect(parseRepositoryName(text)).toBeNull();
  });
});
