import { compareShapes, shapeOfAnswers } from './answer-shape';
import { compareWithMock, isOfServer } from './recorded-server';

const line = (method: string, path: string, status: number, body: unknown): string =>
  JSON.stringify({ why: 'a test', request: { method, path }, status, body });

describe('the shapes of two answers', () => {
  const differences = (recorded: unknown[], mock: unknown[]) =>
    compareShapes(shapeOfAnswers(recorded), shapeOfAnswers(mock));

  it('differ by types, and by keys that only one answer has', () => {
    const recorded = [{ id: 7, user: { login: 'ada' }, labels: [{ name: 'a' }] }];
    const mock = [{ id: '7', user: { login: 'ada', email: '' }, labels: [{ name: 'a' }], more: { deep: 1 } }];
    expect(differences(recorded, mock)).toEqual({
      kinds: ['id: number in the recording, string in the mock'],
      onlyRecorded: [],
      onlyMock: ['more', 'user.email'],
    });
  });

  it('are reported once for all items of a list, if they differ', () => {
    const recorded = [
      [
        { creator: null, at: 'x' },
        { creator: { login: 'ada' }, at: 'x' },
      ],
    ];
    expect(differences(recorded, [[{ creator: { login: 'bob' }, at: 'y' }]])).toEqual({
      ...{ kinds: [], onlyRecorded: [], onlyMock: [] },
    });
    expect(differences(recorded, [[{ creator: 'bob', at: 'y' }]]).kinds).toEqual([
      '[].creator: object in the recording, string in the mock',
    ]);
  });

  it('do not differ if one answer has only null', () => {
    expect(differences([{ closed_at: null }], [{ closed_at: 'x' }]).kinds).toEqual([]);
  });
});

describe('a recording of a real Gitea', () => {
  const BRANCH = '/api/v1/repos/acme/shop/branches/main';

  it('is told apart from exchanges with GitHub', () => {
    expect(isOfServer(`\n${line('GET', BRANCH, 200, {})}\n`)).toBe(true);
    expect(isOfServer(JSON.stringify({ method: 'GET', path: '/repos/a/b' }))).toBe(false);
  });

  it("is compared with the mock Gitea's answers to the same requests with the same status", async () => {
    const both = [
      line('GET', BRANCH, 200, { name: 'main', protected: 'yes', new_field: 1 }),
      line('GET', '/api/v1/repos/acme/shop/pulls/2', 200, 'a text that was cut'),
      line('POST', '/api/v1/repos/acme/shop/nothing', 200, {}),
      JSON.stringify({ about: 'a webhook', event: 'push', body: { ref: 1 } }),
    ];
    const { report, differs } = await compareWithMock(both.join('\n'));
    expect(differs).toBe(true);
    expect(report.split('\n')).toEqual([
      'GET /repos/*/*/branches/* 200: 1 differ',
      '    protected: string in the recording, boolean in the mock',
      '    only in the recording: new_field',
      expect.stringMatching(/^ {4}only in the mock: commit, effective_branch_protection_name, /),
      'POST /repos/*/*/nothing 200: the mock has no such request',
      '2 requests recorded, 1 compared, kinds that differ: 1',
      '',
    ]);
  });
});
