import { checkVersion } from './git-examination';

describe('the version of git', () => {
  it.each([
    ['git version 2.39.5', 'ok'],
    ['git version 2.38.0', 'ok'],
    ['git version 3.0.1', 'ok'],
    ['git version 2.37.9', 'problem'],
    ['git version 1.99.0 (Apple Git-1)', 'problem'],
    ['something else', 'unknown'],
  ])('must be at least 2.38: "%s" gives the result "%s"', (text, verdict) => {
    expect(checkVersion('local', text).verdict).toBe(verdict);
  });
});
