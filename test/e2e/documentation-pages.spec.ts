import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recordAttack } from '../support/attacks';
import { Service } from './service';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

describe('attack 14: the pages of the documentation', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.inMemory();
  });
  afterAll(() => service.stop());

  /** Sends the path unchanged, because fetch would normalize it. */
  function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const sent = request({ port, method, path, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text });
        });
      });
      sent.once('error', reject);
      sent.end();
    });
  }

  it.each([
    ['a file that is not there', '/docs/nothing', {}, 'GET'],
    ['a path that cannot be decoded', '/docs/%E0%A4%A', {}, 'GET'],
    ['a NUL', '/docs/%00', {}, 'GET'],
    ['a way out of the folder', '/docs/../../package.json', {}, 'GET'],
    ['a way out of the folder, encoded', '/docs/..%2f..%2fpackage.json', {}, 'GET'],
    ['a way out of the folder, encoded twice', '/docs/%252e%252e/package.json', {}, 'GET'],
    ['a hidden file', '/docs/.npmrc', {}, 'GET'],
    ['the license that Swagger hides', '/docs/LICENSE', {}, 'GET'],
    ['a file as a folder', '/docs/swagger-ui.css/', {}, 'GET'],
    ['a long name', `/docs/${'x'.repeat(5_000)}`, {}, 'GET'],
    ['a backslash', '/docs/..\\..\\package.json', {}, 'GET'],
    ['two slashes', '/docs//etc/passwd', {}, 'GET'],
    ['a range that is not there', '/docs/swagger-ui.css', { range: 'bytes=999999999-' }, 'GET'],
    ['a condition that does not hold', '/docs/swagger-ui.css', { 'if-match': '"x"' }, 'GET'],
    [
      'a time that is not so',
      '/docs/swagger-ui.css',
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      'GET',
    ],
    ['another method', '/docs', {}, 'POST'],
    ['another method on a file', '/docs/swagger-ui.css', {}, 'DELETE'],
    ['a method of WebDAV', '/docs/', {}, 'PROPFIND'],
    ['another letter case', '/DOCS/', {}, 'GET'],
    ['a slash behind the document', '/openapi.json/', {}, 'GET'],
    ['a script', '/docs/<script>alert(1)</script>', {}, 'GET'],
  ])('answer %s without an error page of Express', async (what, path, headers: Record<string, string>, method) => {
    const { status, type, text } = await ask(path, headers, method);
    recordAttack({ attack: `/docs: ${what}`, answer: `${status} ${type.split(';')[0]}` });
    expect({ status, type, text }).toMatchObject({ type: 'application/json; charset=utf-8' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['error']);
  });

  it('store no token in the browser', async () => {
    const { text } = await ask('/docs/swagger-ui-init.js');
    expect(text).toContain('"tryItOutEnabled": true');
    expect(text).not.toContain('"persistAuthorization": true');
  });
});
