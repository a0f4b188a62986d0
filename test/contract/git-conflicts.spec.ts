import type { BuildRequest } from '../../src/domain/code-host.port';
import { BareRepository } from '../support/bare-repository';
import type { FileChanges } from '../support/commit-stream';
import { makeGitHost, WIDGETS } from './hosts';

const TEXT = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
const BINARY = '\0binary\n';

describe('A conflict with the target', () => {
  let world: BareRepository;

  beforeEach(() => {
    world = BareRepository.create('acme', 'widgets', { 'a.txt': TEXT, 'b.bin': BINARY });
  });
  afterEach(() => world.close());

  const ROWS: readonly (readonly [string, FileChanges, FileChanges, string, string])[] = [
    [
      'one side deletes',
      { 'a.txt': null },
      { 'a.txt': `${TEXT}more\n` },
      'a.txt',
      'one side changes the file, the other deletes it',
    ],
    ['both sides add', { 'new.txt': 'ours\n' }, { 'new.txt': 'theirs\n' }, 'new.txt', 'both sides add this file'],
    [
      'one side renames and the other deletes',
      { 'a.txt': null, 'moved.txt': TEXT },
      { 'a.txt': null },
      'moved.txt',
      'one side renames the file, the other deletes it',
    ],
    [
      'is not text',
      { 'b.bin': `${BINARY}ours` },
      { 'b.bin': `${BINARY}theirs` },
      'b.bin',
      'both sides change this file, which is not text',
    ],
  ];

  it.each(ROWS)(
    'names the file and the reason of the conflict, for a file that %s',
    async (_name, ours, theirs, file, why) => {
      const head = world.openPullRequest(1, theirs);
      const tip = world.pushTo('main', ours);
      const request: BuildRequest = {
        ...{ repository: WIDGETS, targetBranch: 'main', onto: tip, targetTip: tip, alreadyMerged: [] },
        ...{ mergeMethod: 'merge_commit', committedAt: new Date('2026-03-01T12:00:00Z') },
        pullRequests: [
          { number: 1, head, title: 'Change 1', body: '', author: 'Ada', authorEmail: null, headBranch: 'topic-1' },
        ],
      };
      const outcome = await makeGitHost(world).buildCandidate(request);
      expect(outcome).toMatchObject({ type: 'conflict', number: 1, with: 'target', reasons: { [file]: why } });
    },
  );
});
