import { execFile, spawnSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { Chromium, describeInBrowser, type Person } from './browser';

const ROOT = join(__dirname, '../..');
/** The limit for a build. The first build also installs the generator. */
const LONGEST_BUILD_MS = 600_000;
const BASE = '/sluice/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const WIDTHS = [390, 1440];
const PAGES = [
  ['index', ''],
  ['install', 'install.html'],
  ['queue-settings', 'queue-settings.html'],
  ['reasons', 'reasons.html'],
  ['configuration', 'configuration.html'],
  ['comparison', 'comparison.html'],
  ['cli', 'cli.html'],
] as const;

describeInBrowser('The documentation site', () => {
  const out = mkdtempSync(join(tmpdir(), 'sluice-site-'));
  let printed: string;
  let server: Server;
  let chromium: Chromium;
  let reader: Person;

  beforeAll(async () => {
    const options = ['--out', out, '--base', BASE];
    const built = await promisify(execFile)(process.execPath, ['scripts/docs-site/main.mjs', ...options], {
      cwd: ROOT,
    });
    printed = built.stdout;
    server = await serve(out);
    chromium = await Chromium.start();
  }, LONGEST_BUILD_MS);

  afterAll(async () => {
    await chromium?.stop();
    server?.close();
    rmSync(out, { recursive: true, force: true });
  });

  beforeEach(async () => {
    reader = await chromium.person(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterEach(async () => {
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  /** Opens the page, and waits until its script listens to the keyboard. */
  async function open(path: string): Promise<void> {
    await reader.page.goto(`${BASE}${path}`, { waitUntil: 'networkidle' });
    await reader.page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined');
  }

  it('has every page, and no dead link', () => {
    expect(printed).toMatch(/^\d{2,} pages in .*, 0 dead links\.$/m);
  });

  it('is not built into a folder that contains other files, and leaves those files there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-site-'));
    const file = join(folder, 'notes.txt');
    try {
      writeFileSync(file, 'mine');
      const { status, stderr } = spawnSync(process.execPath, ['scripts/docs-site/main.mjs', '--out', folder], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([2, expect.stringContaining('Name a new folder with --out.')]);
      expect(existsSync(file)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each(PAGES)('is not wider than the window at 390 and 1440 px: %s', async (name, path) => {
    for (const width of WIDTHS) {
      await reader.look({ width, theme: 'light' });
      await open(path);
      expect({ width, overflow: await reader.overflow() }).toEqual({ width, overflow: 0 });
      expect(await reader.page.isVisible('main h1')).toBe(true);
      await reader.picture(`docs-${name}-${width}`);
    }
  });

  it.each(WIDTHS)('finds a page by search at %i px', async (width) => {
    await reader.look({ width, theme: 'light' });
    await open('');
    await reader.page.keyboard.press('Control+k');
    await reader.page.fill('.VPLocalSearchBox input', 'pendingFailureDepth');
    const result = reader.page.locator('.VPLocalSearchBox .result[href*="queue-settings"]').first();
    await result.waitFor();
    await reader.picture(`docs-search-${width}`);
    await result.click();
    // The browser shows the new URL before it shows the page.
    await reader.page.locator('main h1', { hasText: 'Queue settings' }).waitFor();
    expect(reader.page.url()).toContain('queue-settings');
  });

  it('opens a page from the menu', async () => {
    await open('');
    await reader.page.click('.VPSidebar a[href$="/why.html"]');
    await reader.page.locator('main h1', { hasText: 'Why' }).waitFor();
    expect(reader.page.url()).toContain('why');
  });
});

/** Serves the files of the folder below `/sluice/`, like a server of static files. */
async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(folder, normalize(decodeURIComponent(pathname).replace(BASE, '/')));
    const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path;
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    return createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
