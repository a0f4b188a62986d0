import type { Client } from './client';
import { Service } from './service';
import { Visitor } from './visitor';

const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'";
const LOG = '/v1/checkRuns/c0a8012e-7b1f-4d7a-9c3e-2f4b6d8e0a1c/log';

describe('The first requests of a browser:', () => {
  let service: Service;
  let reader: Client;
  let visitor: Visitor;

  beforeAll(async () => {
    service = await Service.inMemory();
    await service.organization('acme');
    reader = await service.client('acme', 'read');
  });
  beforeEach(() => (visitor = new Visitor(service.url)));
  afterAll(() => service.stop());

  it('the URL of the service redirects to the pages', async () => {
    const { status, to } = await visitor.get('/');
    expect([status, to]).toEqual([303, '/ui']);
    expect((await visitor.get('/ui')).to).toBe('/ui/sign-in');
  });

  it('the URL of a log redirects to the page of that log', async () => {
    const { status, to } = await visitor.get(LOG);
    expect([status, to]).toEqual([303, '/ui/logs/c0a8012e-7b1f-4d7a-9c3e-2f4b6d8e0a1c']);
  });

  it('the redirects for browsers do not change the answers for programs', async () => {
    const ask = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(service.url + path, { headers, redirect: 'manual' });
      return [answer.status, answer.headers.get('content-type')];
    };
    const json = 'application/json; charset=utf-8';
    for (const path of ['/', LOG]) {
      expect(await ask(path, {})).toEqual([401, json]);
      expect(await ask(path, { accept: '*/*' })).toEqual([401, json]);
      expect(await ask(path, { accept: 'text/html', 'x-api-token': reader.token! })).toEqual([404, json]);
    }
    expect(await ask('/v1/checkRuns/x/log', { accept: 'text/html' })).toEqual([401, json]);
  });

  it('every tab of the browser has an icon, and files are cached until they change', async () => {
    const icon = await visitor.get('/favicon.ico');
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const { text } = await visitor.get('/ui/sign-in');
    const files = [...text.matchAll(/(?:href|src)="(\/ui\/assets\/[^"]+)"/g)].map(([, file]) => file!);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const { status, headers } = await visitor.get(file);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      const other = await visitor.get(file.replace(/v=.*/, 'v=old'));
      expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    }
    expect((await visitor.get('/ui/assets/nothing.css')).status).toBe(404);
    expect((await visitor.get('/ui/assets/..%2fui.module.js')).status).toBe(404);
  });

  it.each(['/ui/sign-in', '/ui', '/healthz', '/v1/getQueue', '/', '/openapi.json', '/ui/assets/sluice.js'])(
    'attack: %s lets a browser run only files of the service',
    async (path) => {
      const { headers } = await visitor.get(path);
      expect(headers.get('content-security-policy')).toBe(POLICY);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    },
  );

  it('the documentation alone has another policy, because its page writes styles', async () => {
    const { headers } = await visitor.get('/docs');
    expect(headers.get('content-security-policy')).toContain("style-src 'self' https: 'unsafe-inline'");
  });

  it('an unknown URL answers with an HTML page', async () => {
    await visitor.signIn(reader.token);
    for (const path of ['/ui/nothing', '/ui/nothing/at/all', '/ui/%E0%A4%A']) {
      const { status, headers, text } = await visitor.get(path);
      expect([path, headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8']);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).toContain('<h1>');
    }
    expect((await new Visitor(service.url).get('/ui/nothing')).to).toBe('/ui/sign-in?to=%2Fui%2Fnothing');
  });
});
