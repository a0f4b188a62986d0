import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { COMMAND_MODULES } from './commands';
import { runSluice } from './run-sluice';

/** Clears the screen, sets the title of the window, and writes backwards. */
const TITLE = 'Raise\u001b[2J\u001b]0;root\u0007 the \u009b31mprice\u202e\r\n';

describe('attack 14: a title with terminal control characters', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const record = { prNumber: 7, prTitle: TITLE, state: 'merged', stateReason: null, prSha: 'a'.repeat(40) };
    server = createServer((_request, response) => response.end(JSON.stringify(record)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => server.close());

  async function status(...more: readonly string[]): Promise<string> {
    let out = '';
    const terminal = { out: (text: string) => void (out += text), err: () => undefined, columns: undefined };
    const asked = ['pr', 'status', 'git.example/acme/widgets', '7', '--url', url, '--token', 'slc_secret', ...more];
    expect(await runSluice(asked, terminal)).toBe(0);
    return out;
  }

  it('is shown with marks instead of the control characters', async () => {
    const out = await status();
    expect(out).toContain('#7 Raise\ufffd[2J\ufffd]0;root\ufffd the \ufffd31mprice\ufffd\ufffd\n');
    expect(out).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
  });

  it('is unchanged in the output of --json', async () => {
    expect(JSON.parse(await status('--json'))).toMatchObject({ prTitle: TITLE });
  });
});

describe('the commands of sluice', () => {
  async function helpOf(...args: readonly string[]): Promise<string> {
    let out = '';
    const terminal = { out: (text: string) => void (out += text), err: () => undefined, columns: undefined };
    expect(await runSluice([...args, '--help'], terminal)).toBe(0);
    return out;
  }

  it.each(Object.keys(COMMAND_MODULES))('include %s under the name by which its module is loaded', async (name) => {
    expect(await helpOf(name)).toContain(`Usage: sluice ${name} `);
  });

  it('are all listed in the help, in the order of COMMAND_MODULES', async () => {
    const [, list = ''] = (await helpOf()).split('Commands:\n');
    const names = [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
    expect(names).toEqual([...Object.keys(COMMAND_MODULES), 'help']);
  });

  it('are all considered for the suggestion after a typing error', async () => {
    let err = '';
    const terminal = { out: () => undefined, err: (text: string) => void (err += text), columns: undefined };
    expect(await runSluice(['webhok'], terminal)).toBe(2);
    expect(err).toContain('Did you mean webhook?');
  });
});
