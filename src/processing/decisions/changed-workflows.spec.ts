import type { CodeHost, HostRepository, Permission, PullRequestObservation } from '../../domain/code-host.port';
import { changedWorkflows } from './changed-workflows';

const REPOSITORY: HostRepository = { id: 'r', host: 'git.example', owner: 'acme', name: 'widgets' };

interface Situation {
  readonly files?: readonly string[] | 'too_many' | 'unknown';
  readonly permission?: Permission;
  readonly headBranch?: string | null;
  readonly base?: string | null;
}

function found({ files = [], permission = 'read', headBranch = 'eve:change', base = 'b' }: Situation) {
  let asked = 0;
  const host = {
    listChangedFiles: () => Promise.resolve(files),
    conversation: { people: { permissionOf: () => Promise.resolve((asked++, permission)) } },
  } as unknown as CodeHost;
  const seen = { head: 'h', headBranch, author: 'eve' } as PullRequestObservation;
  return changedWorkflows(host, REPOSITORY, seen, base).then((paths) => ({ paths, asked }));
}

describe('files that define CI', () => {
  it.each([
    '.github/workflows/ci.yml',
    '.github/actions/setup/action.yml',
    '.gitea/workflows/ci.yaml',
    '.forgejo/workflows/ci.yml',
    '.gitlab-ci.yml',
    '.gitlab/ci/tests.yml',
    '.circleci/config.yml',
    '.buildkite/pipeline.yml',
    '.woodpecker/tests.yaml',
    '.woodpecker.yml',
    'azure-pipelines.yml',
    'Jenkinsfile',
    'services/shop/Jenkinsfile',
  ])('include %s', async (path) => {
    expect(await found({ files: ['src/a.ts', path] })).toEqual({ paths: [path], asked: 1 });
  });

  it.each(['src/.github/workflows/ci.yml', '.github/CODEOWNERS', 'docs/Jenkinsfile.md', 'my.gitlab-ci.yml'])(
    'do not include %s, and the host is not asked for the permissions of the author',
    async (path) => {
      expect(await found({ files: [path] })).toEqual({ paths: [], asked: 0 });
    },
  );

  it('are reported if the author may not write to the repository', async () => {
    const files = ['Jenkinsfile'];
    for (const permission of ['none', 'read'] as const)
      expect((await found({ files, permission })).paths).toEqual(files);
    for (const permission of ['write', 'admin'] as const)
      expect((await found({ files, permission })).paths).toEqual([]);
  });

  it('are reported only for forks, and only if the target branch is known', async () => {
    const files = ['Jenkinsfile'];
    expect(await found({ files, headBranch: 'change' })).toEqual({ paths: [], asked: 0 });
    expect(await found({ files, headBranch: null })).toEqual({ paths: [], asked: 0 });
    expect(await found({ files, base: null })).toEqual({ paths: [], asked: 0 });
  });

  it('are assumed to change if the pull request changes more files than the host lists', async () => {
    expect((await found({ files: 'too_many' })).paths).toEqual(['more than 10000 files']);
    expect((await found({ files: 'unknown' })).paths).toEqual([]);
  });

  it('are limited to the first twenty names', async () => {
    const files = Array.from({ length: 30 }, (_, nth) => `.github/workflows/${String(nth).padStart(2, '0')}.yml`);
    expect((await found({ files: files.toReversed() })).paths).toEqual(files.slice(0, 20));
  });
});
