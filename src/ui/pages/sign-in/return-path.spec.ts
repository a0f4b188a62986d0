import { returnPath, signInPath } from './return-path';

describe('a browser after sign-in', () => {
  it.each(['/ui', '/ui/tests/1', '/ui/queue?repo=local%2Facme%2Fshop&branch=main#waiting', '/ui//a'])(
    'returns to %s',
    (path) => expect(returnPath(path)).toBe(path),
  );

  it.each([
    'https://evil.example/ui',
    '//evil.example/ui',
    '/\\evil.example/ui',
    '/\t/evil.example/ui',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/ui/../v1/getQueue',
    '/ui/%2e%2e/docs',
    '/uix',
    '/UI',
    '/',
    '',
    'ui',
    '/ui/sign-in?to=/ui/sign-in',
    '/ui/sign-out',
    undefined,
    ['/ui/tests'],
  ])('attack: is not redirected to %j', (path) => expect(returnPath(path)).toBe('/ui'));

  it('returns to the requested page, but not to a form', () => {
    expect(signInPath({ method: 'GET', originalUrl: '/ui/tests/1?a=b' })).toBe(
      '/ui/sign-in?to=%2Fui%2Ftests%2F1%3Fa%3Db',
    );
    expect(signInPath({ method: 'GET', originalUrl: '/ui' })).toBe('/ui/sign-in');
    expect(signInPath({ method: 'POST', originalUrl: '/ui/queue/pause' })).toBe('/ui/sign-in');
  });
});
