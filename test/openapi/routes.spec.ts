import { Service } from '../e2e/service';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

/** All paths that need no token. Every other route answers 401 without a token. */
const OPEN = ['/docs', '/openapi.json', '/healthz', '/readyz', '/webhooks/', '/ui/sign-in', '/ui/assets'];
/** Whether the path is a page. Without a session, a page redirects to the sign-in page. */
const isPage = (path: string) => path === '/ui' || path.startsWith('/ui/');
const isOpen = (path: string) => OPEN.some((open) => path === open || path.startsWith(open.replace(/\/?$/, '/')));

describe('The routes of the running service', () => {
  let service: Service;
  let routes: { readonly method: string; readonly path: string }[];

  beforeAll(async () => {
    service = await Service.inMemory();
    const { router } = service.app.getHttpAdapter().getInstance() as { router: { stack: readonly Layer[] } };
    routes = router.stack.flatMap(({ route }) =>
      route === undefined
        ? []
        : Object.keys(route.methods).map((method) => ({ method: method.toUpperCase(), path: route.path })),
    );
  });

  afterAll(() => service.stop());

  it('are found by this spec', () => {
    const found = routes.filter(({ path }) => path.startsWith('/v1/')).map(({ path }) => path);
    expect(found).toEqual(
      expect.arrayContaining(['/v1/getQueue', '/v1/flaky-tests/list-failing-tests', '/v1/checkRuns/:id/log']),
    );
    expect(found.length).toBeGreaterThanOrEqual(16);
  });

  it('answer 401 without a token, except for those on the list of public routes', async () => {
    const closed = routes.filter(
      ({ path, method }) => !isOpen(path) && ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method),
    );
    const answered = await Promise.all(
      closed.map(async ({ method, path }) => {
        const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
        const answer = await fetch(`${service.url}${path.replace(':id', 'x')}`, {
          method,
          headers,
          redirect: 'manual',
        });
        const leadsToSignIn =
          answer.status === 303 && answer.headers.get('location')?.startsWith('/ui/sign-in') === true;
        return `${method} ${path} ${isPage(path) && leadsToSignIn ? 401 : answer.status}`;
      }),
    );
    expect(answered.filter((answer) => !answer.endsWith(' 401'))).toEqual([]);
    expect(answered).toContain('GET /ui 401');
    expect(answered).toContain('GET /metrics 401');
  });

  it.each([
    '/v1',
    '/v1/',
    '/v1/unknown',
    '/V1/getQueue',
    '//v1/getQueue',
    '/docsx',
    '/metrics/',
    '/uix',
    '/.',
    '/healthz/../v1/getQueue',
  ])('answer 401 without a token: %s', async (path) =>
    expect((await fetch(`${service.url}${path}`, { method: 'POST' })).status).toBe(401),
  );

  it.each(['/openapi.json', '/docs', '/healthz'])('are open without a token: %s', async (path) => {
    expect((await fetch(`${service.url}${path}`)).status).toBe(200);
  });
});
