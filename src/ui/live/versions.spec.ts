import { versionOfAll } from './versions';

const REPO = { host: 'github.com', owner: 'acme', name: 'shop' };
const MAIN = { repo: REPO, targetBranch: 'main', version: 7 };
const NEXT = { repo: REPO, targetBranch: 'next', version: 7 };

describe('The version of several queues', () => {
  it('does not depend on their order', () => {
    expect(versionOfAll([NEXT, MAIN])).toBe(versionOfAll([MAIN, NEXT]));
  });

  it.each([
    ['a queue decided something', [{ ...MAIN, version: 8 }, NEXT]],
    ['another queue changed', [MAIN, { ...NEXT, version: 8 }]],
    ['a queue was deleted', [MAIN]],
    ['a queue was created', [MAIN, NEXT, { ...MAIN, targetBranch: 'old' }]],
    ['a queue belongs to another repository', [{ ...MAIN, repo: { ...REPO, name: 'blog' } }, NEXT]],
    ['all are gone', []],
  ])('changes when %s', (_, queues) => {
    expect(versionOfAll(queues)).not.toBe(versionOfAll([MAIN, NEXT]));
  });
});
