import { checkboxIn } from './checkbox';
import { submitPromptFor } from './submit-prompt';

const QUEUE = { branch: 'main', settings: { commandsEnabled: true } };
const INVITATION = submitPromptFor(QUEUE, 'sluice');

describe('the invitation', () => {
  it('says what the box does, and which command does the same', () => {
    expect(INVITATION.split('\n\n')).toEqual([
      '<!-- sluice-merge-queue -->',
      '- [ ] <!-- sluice-submit -->Check this box, or comment `/sluice merge`, to put this pull request into the queue of `main`.',
      '<sub>Once it is in the queue, this comment says how it stands.</sub>',
    ]);
  });

  it('names no command where they are switched off', () => {
    const silent = submitPromptFor({ ...QUEUE, settings: { commandsEnabled: false } }, 'sluice');
    expect(silent).toContain('Check this box to put this pull request into the queue of `main`.');
    expect(silent).not.toContain('/sluice');
  });
});

describe('the box of a comment', () => {
  const box = (comment: string) => checkboxIn('sluice', comment);

  it('is empty until it is ticked, by the mouse or by hand', () => {
    expect(box(INVITATION)).toBe('empty');
    expect(box(INVITATION.replace('[ ]', '[x]'))).toBe('ticked');
    expect(box(INVITATION.replace('- [ ]', '* [X]').replaceAll('\n', '\r\n'))).toBe('ticked');
  });

  it('is no box elsewhere, and none of another service', () => {
    expect(box('<!-- sluice-merge-queue -->\n\n- [x] tested')).toBeNull();
    expect(box(`> look:\n${INVITATION.replace('[ ]', '[x]')}`)).toBeNull();
    expect(checkboxIn('other', INVITATION)).toBeNull();
    expect(box('')).toBeNull();
  });
});
