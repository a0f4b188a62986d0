import { ContentPace, makesContent } from './content-pace';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const after = (seconds: number): Date => new Date(START + seconds * 1_000);

describe('the pace of new content', () => {
  it('allows 60 comments in any minute, and the next comment when the first comment is a minute old', () => {
    const pace = new ContentPace();
    for (let made = 0; made < 59; made++) pace.note('app', after(made / 10));
    expect(pace.nextCommentAt('app', after(6))).toBeNull();
    pace.note('app', after(6));
    expect(pace.nextCommentAt('app', after(6))).toEqual(after(60));
    expect(pace.nextCommentAt('app', after(60))).toBeNull();
    expect(pace.nextCommentAt('another', after(6))).toBeNull();
  });

  it('allows 400 comments in any hour', () => {
    const pace = new ContentPace();
    for (let made = 0; made < 400; made++) pace.note('app', after(made * 2));
    expect(pace.nextCommentAt('app', after(900))).toEqual(after(3_600));
    expect(pace.nextCommentAt('app', after(3_600))).toBeNull();
  });

  it.each([
    ['POST /repos/{owner}/{repo}/issues/{issue_number}/comments', true],
    ['POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', true],
    ['POST /repos/{owner}/{repo}/pulls', true],
    ['POST /repos/{owner}/{repo}/statuses/{sha}', false],
    ['PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', false],
    ['PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge', false],
  ])('counts the request %s as new content: %s', (route, counts) => {
    expect(makesContent(route)).toBe(counts);
  });
});
