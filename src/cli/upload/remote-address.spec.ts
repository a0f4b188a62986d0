import { repositoryOfRemote } from './remote-address';

const WIDGETS = { host: 'git.example', owner: 'acme', name: 'widgets' };

describe('the address of a git remote', () => {
  it.each([
    ['https://git.example/acme/widgets.git', WIDGETS],
    ['https://git.example/acme/widgets/', WIDGETS],
    ['https://user:secret@Git.Example/acme/widgets', WIDGETS],
    ['http://git.example:8080/acme/widgets.git', { ...WIDGETS, host: 'git.example:8080' }],
    ['git@git.example:acme/widgets.git', WIDGETS],
    ['git.example:acme/widgets', WIDGETS],
    ['ssh://git@git.example:2222/acme/widgets.git', WIDGETS],
    ['git@git.example:acme/tools/widgets.git', { ...WIDGETS, owner: 'acme/tools' }],
  ])('%s names a repository', (address, repository) => {
    expect(repositoryOfRemote(address)).toEqual(repository);
  });

  it.each([
    '',
    '/srv/git/widgets.git',
    '../widgets',
    'file:///srv/git/acme/widgets.git',
    'https://git.example/widgets',
  ])('%j names no repository', (address) => {
    expect(repositoryOfRemote(address)).toBeUndefined();
  });
});
