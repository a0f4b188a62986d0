import { QUESTIONS, readingTime } from './reading-time/reading-time';

describe('the documents', () => {
  it.each(QUESTIONS.map((question) => [question.name, question] as const))(
    'answer a question within its reading time: %s',
    (_, question) => {
      const { words, seconds } = readingTime(question);
      expect(words).toBeGreaterThan(20);
      expect(seconds).toBeLessThanOrEqual(question.limitSeconds);
    },
  );

  it('are not measured if a named section is missing: the error names its heading', () => {
    const sections = [{ file: 'README.md', heading: '## Nowhere' }];
    expect(() => readingTime({ name: '', limitSeconds: 1, sections, withDoing: false })).toThrow(
      'no heading "## Nowhere"',
    );
  });
});
