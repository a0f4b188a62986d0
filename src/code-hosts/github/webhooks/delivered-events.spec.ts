import { eventsIn } from './delivered-events';
import { leastCpuMs } from '../../../../test/support/least-cpu';

const at = '2026-03-01T12:00:00Z';

function edited(before: string, body: string) {
  const comment = { id: 7, user: { login: 'ada', type: 'User' }, body, created_at: at, updated_at: at };
  const sender = { login: 'ada', type: 'User' };
  const issue = { number: 1, pull_request: {} };
  const payload = { action: 'edited', issue, comment, sender, changes: { body: { from: before } } };
  return eventsIn('issue_comment', payload, 'a repository');
}

describe('A delivery about an edited comment', () => {
  it('is a host event when somebody ticked a checkbox in the comment', () => {
    expect(edited('- [ ] it', '\n  * [X] it')).toMatchObject([{ type: 'comment_edited', number: 1, editor: 'ada' }]);
    expect(edited('- [ ] it', '- [ ] it')).toEqual([]);
  });

  it('attack 14: is read at once when the comment has thousands of empty lines', () => {
    const emptied = (): unknown => edited('', '\n'.repeat(65_536));
    expect(emptied()).toEqual([]);
    expect(leastCpuMs(emptied, 500)).toBeLessThan(500);
  });
});
