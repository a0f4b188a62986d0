import { submitPromptFor } from './comment';
import { checkboxIn } from './comment-markers';

const QUEUE = { branch: 'main', settings: { commandsEnabled: true } };
const PROMPT = submitPromptFor(QUEUE, 'sluice');

describe('the submit prompt', () => {
  it('explains the checkbox and names the equivalent command', () => {
    expect(PROMPT.split('\n\n')).toEqual([
      '<!-- sluice-merge-queue -->',
      '- [ ] <!-- sluice-submit -->Check this box, or comment `/sluice merge`, to put this pull request into the queue of `main`.',
      '<sub>Once it is in the queue, this comment shows its state.</sub>',
    ]);
  });

  it('names no command if comment commands are off', () => {
    const prompt = submitPromptFor({ ...QUEUE, settings: { commandsEnabled: false } }, 'sluice');
    expect(prompt).toContain('Check this box to put this pull request into the queue of `main`.');
    expect(prompt).not.toContain('/sluice');
  });
});

describe('the checkbox of a comment', () => {
  const box = (comment: string) => checkboxIn('sluice', comment);

  it('is empty until somebody ticks it, with the mouse or in the text', () => {
    expect(box(PROMPT)).toBe('empty');
    expect(box(PROMPT.replace('[ ]', '[x]'))).toBe('ticked');
    expect(box(PROMPT.replace('- [ ]', '* [X]').replaceAll('\n', '\r\n'))).toBe('ticked');
  });

  it('is not found in other texts, in quotes, or in comments of another service', () => {
    expect(box('<!-- sluice-merge-queue -->\n\n- [x] tested')).toBeNull();
    expect(box(`> look:\n${PROMPT.replace('[ ]', '[x]')}`)).toBeNull();
    expect(checkboxIn('other', PROMPT)).toBeNull();
    expect(box('')).toBeNull();
  });
});
