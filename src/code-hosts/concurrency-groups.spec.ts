import { examineGroups, groupsAcrossBranches } from './concurrency-groups';

const BRANCH = 'sluice-merge/pr-1/run';

const workflow = (on: string, group: string): string =>
  `on: ${on}\nconcurrency:\n  group: ${group}\n  cancel-in-progress: true\njobs: {}\n`;
const groups = (text: string): readonly string[] => groupsAcrossBranches(text, BRANCH);

describe('a concurrency group', () => {
  it.each(['[push, pull_request]', 'push', 'pull_request', '{ pull_request: { types: [opened] } }'])(
    'that all branches share is found in a workflow for %s',
    (on) => expect(groups(workflow(on, 'ci'))).toEqual(['ci']),
  );

  it.each(['github.ref', 'github.head_ref', 'github.run_id', 'gitea.ref', 'github.event.pull_request.number'])(
    'with %s in its name is separate for each branch',
    (name) => expect(groups(workflow('push', `"ci-\${{ ${name} }}"`))).toEqual([]),
  );

  it.each([
    'schedule',
    '{ push: { branches: [main] } }',
    '{ push: { branches: [release/**, main] } }',
    '{ push: { tags: ["v*"] } }',
    '[workflow_dispatch, release]',
  ])('in a workflow for %s is ignored, because that workflow does not run for testing branches', (on) =>
    expect(groups(workflow(on, 'deploy'))).toEqual([]),
  );

  it.each(['["**"]', '["sluice-merge/**"]', '["*/pr-*/run"]', BRANCH])(
    'in a workflow for pushes to %s is found',
    (branches) => expect(groups(workflow(`{ push: { branches: ${branches} } }`, 'ci'))).toEqual(['ci']),
  );

  it('is found in a job, also when it is written as a string', () => {
    expect(groups('on: push\njobs:\n  unit:\n    concurrency: runner\n    steps: []\n')).toEqual(['runner']);
  });

  it('is not found in a text that cannot be parsed', () => {
    expect(groups('on: push\nconcurrency: [')).toEqual([]);
    expect(groups('just words')).toEqual([]);
    expect(groups('')).toEqual([]);
  });

  it('is searched for in linear time, even in a branch pattern with many stars', () => {
    const pattern = `${'*a'.repeat(10_000)}b`;
    expect(groups(workflow(`{ push: { branches: ["${pattern}"] } }`, 'ci'))).toEqual([]);
  });
});

describe('workflow files', () => {
  const list = [{ path: '.github/workflows/ci.yml' }, { path: '.github/workflows/README.md' }];
  const file = { content: Buffer.from(workflow('push', 'ci')).toString('base64') };

  it('with a group that all branches share are reported with a fix', async () => {
    const read = (path: string) => Promise.resolve({ body: path.endsWith('.yml') ? file : list });
    expect(await examineGroups('main', BRANCH, { folders: ['.github/workflows'], read })).toEqual([
      {
        verdict: 'problem',
        about: 'main',
        what: 'the concurrency group "ci" of .github/workflows/ci.yml is the same for all branches, so CI cancels tests of the queue for other tests',
        advice: 'Add the branch to the group: "ci-${{ github.ref }}".',
      },
    ]);
  });

  it('that do not exist give no finding', async () => {
    const read = () => Promise.resolve(null);
    expect(await examineGroups('main', BRANCH, { folders: ['.github/workflows'], read })).toEqual([]);
  });

  it('that cannot be read are reported once', async () => {
    const read = () => Promise.resolve('not accessible');
    expect(await examineGroups('main', BRANCH, { folders: ['a', 'b'], read })).toEqual([
      {
        verdict: 'unknown',
        about: 'main',
        what: 'the concurrency groups of its workflows: not accessible',
        advice: null,
      },
    ]);
  });
});
