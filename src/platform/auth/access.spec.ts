import { isOpenPath } from '../requests/open-paths';
import { generateToken, hashToken, hideTokens, looksLikeToken } from './token';

describe('a token', () => {
  it('is random, recognizable, and stored in a form that does not contain it', () => {
    const [one, other] = [generateToken(), generateToken()];
    expect(one).toMatch(/^slc_[A-Za-z0-9_-]{43}$/);
    expect(one).not.toBe(other);
    expect(hashToken(one)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashToken(one)).toBe(hashToken(one));
  });

  it.each([[''], ['slc_'], [`slc_${'a'.repeat(42)}`], [`slc_${'a'.repeat(44)}`], [` slc_${'a'.repeat(43)}`]])(
    'is not recognized in %j',
    (text) => expect(looksLikeToken(text)).toBe(false),
  );

  it('is hidden in any text', () => {
    expect(hideTokens(`a ${generateToken()}, ${generateToken()} b`)).toBe('a slc_[hidden], slc_[hidden] b');
  });
});

describe('the paths that need no token', () => {
  it.each([
    ['/docs'],
    ['/docs/swagger-ui.css'],
    ['/openapi.json'],
    ['/healthz'],
    ['/readyz'],
    ['/webhooks/github'],
    ['/webhooks/github/github.com'],
    ['/webhooks/gitlab/git.example:8443'],
    ['/ui/sign-in'],
    ['/ui/assets/sluice.css'],
  ])('contain %s', (path) => expect(isOpenPath(path)).toBe(true));

  it.each([
    ['/'],
    ['/v1/docs'],
    ['/docsx'],
    ['/DOCS'],
    ['/healthz/'],
    ['//docs'],
    ['/metrics'],
    ['/webhooks'],
    ['/webhooks/'],
    ['/webhooks/github/'],
    ['/webhooks/github/github.com/x'],
    ['/webhooks//github.com'],
    ['/uix'],
    ['/ui'],
    ['/ui/'],
    ['/ui/tests/1'],
    ['/ui/sign-in/'],
    ['/ui/sign-out'],
    ['/ui/assets'],
    ['/UI/sign-in'],
  ])('do not contain %s', (path) => expect(isOpenPath(path)).toBe(false));
});
