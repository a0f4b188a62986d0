import { endedCommitIn, gitLabEventsIn } from './told-events';

const SHA = 'a'.repeat(40);
const FACTS = {
  ...{ iid: 7, state: 'opened', target_branch: 'main', source_branch: 'raise', last_commit: { id: SHA } },
  ...{ source_project_id: 5, target_project_id: 5 },
  ...{ created_at: '2026-11-23 12:00:00 UTC', updated_at: '2026-11-23 12:05:00 UTC' },
};
const USER = { id: 3, username: 'ada' };
const NOTE = {
  ...{ id: 9, note: '/sluice merge', noteable_type: 'MergeRequest', author_id: 3, system: false },
  ...{ created_at: '2026-11-23 12:00:00 UTC', updated_at: '2026-11-23 12:05:00 UTC' },
};

const mergeRequest = (facts: object, more: object = {}): readonly object[] =>
  gitLabEventsIn(
    { object_kind: 'merge_request', user: USER, object_attributes: { ...FACTS, ...facts }, ...more },
    'r',
    [],
  );
const note = (facts: object): readonly object[] =>
  gitLabEventsIn(
    { object_kind: 'note', user: USER, object_attributes: { ...NOTE, ...facts }, merge_request: { iid: 7 } },
    'r',
    ['renovate'],
  );

describe('a GitLab delivery about a merge request', () => {
  it('names the pusher of the head only if the delivery contains the earlier head, which shows a push', () => {
    expect(mergeRequest({ action: 'update', oldrev: 'b'.repeat(40) })).toEqual([
      {
        ...{ type: 'pull_request_changed', repositoryId: 'r', number: 7 },
        head: { sha: SHA, since: Date.parse('2026-11-23T12:05:00.999Z'), pushedBy: 'ada' },
      },
    ]);
    expect(mergeRequest({ action: 'update' })).toMatchObject([{ head: { pushedBy: null } }]);
    expect(mergeRequest({ action: 'approved' })).toMatchObject([{ head: { pushedBy: null } }]);
    expect(mergeRequest({ action: 'of_a_newer_version' })).toEqual([]);
  });

  it('reports an opened pull request, also after reopening or with another target; a fork branch has its project id', () => {
    const opened = { type: 'pull_request_opened', base: 'main', headBranch: 'raise' };
    expect(mergeRequest({ action: 'open' })[1]).toMatchObject(opened);
    expect(mergeRequest({ action: 'reopen', source_project_id: 6 })[1]).toMatchObject({ headBranch: '6:raise' });
    expect(mergeRequest({ action: 'update' }, { changes: { target_branch: {} } })[1]).toMatchObject(opened);
    expect(mergeRequest({ action: 'open', state: 'closed' })).toHaveLength(1);
  });

  it('is an event for each new label', () => {
    const titled = (...titles: string[]): object[] => titles.map((title) => ({ title }));
    const labels = { previous: titled('a'), current: titled('a', 'b', 'c') };
    const set = mergeRequest({ action: 'update' }, { changes: { labels } }).slice(1);
    expect(set).toMatchObject([{ label: 'b' }, { label: 'c' }]);
    const gone = { previous: titled('a', 'b'), current: titled('b') };
    expect(mergeRequest({ action: 'update' }, { changes: { labels: gone } })).toHaveLength(1);
  });
});

describe('a GitLab delivery about a note', () => {
  it('is a comment of its sender, with or without an action', () => {
    const made = {
      type: 'comment_made',
      number: 7,
      commentId: '9',
      author: 'ada',
      isBot: false,
      body: '/sluice merge',
    };
    for (const facts of [{}, { action: 'create' }]) {
      expect(note(facts)).toEqual([{ ...made, repositoryId: 'r', writtenAt: Date.parse('2026-11-23T12:00:00Z') }]);
    }
  });

  it('is ignored if GitLab wrote the note, the note is on no merge request, or the sender is not its author', () => {
    for (const facts of [{ system: true }, { noteable_type: 'Issue' }, { author_id: 4 }, { id: 'x' }])
      expect(note(facts)).toEqual([]);
  });

  it('is an edit of a comment with unknown earlier text if a checkbox is ticked', () => {
    expect(note({ action: 'update' })).toEqual([]);
    const ticked = { action: 'update', note: '- [x] merge' };
    expect(note(ticked)).toMatchObject([{ type: 'comment_edited', editor: 'ada', before: null }]);
  });
});

it('the end of a GitLab pipeline or job is a reason to read the statuses of its commit', () => {
  const pipeline = (status: string): object => ({ object_kind: 'pipeline', object_attributes: { status, sha: SHA } });
  const job = (status: string): object => ({ object_kind: 'build', build_status: status, sha: SHA });
  for (const told of [pipeline, job]) {
    expect(['success', 'failed', 'canceled', 'skipped'].map((status) => endedCommitIn(told(status)))).toEqual(
      Array(4).fill(SHA),
    );
    expect(['created', 'running', 'manual'].map((status) => endedCommitIn(told(status)))).toEqual([null, null, null]);
  }
  expect(endedCommitIn({ object_kind: 'push', after: SHA })).toBeNull();
});
