import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { describeWhere } from '../support/only-where';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A host name other than the machine's own name. For such a name, browsers send fewer headers with forms.
  '--host-resolver-rules=MAP queue.test 127.0.0.1',
];
// Scripts for the page are strings, because this project's compiler does not know browser types.
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`;
/**
 * Console lines that are not complaints. Some are about 4xx answers, which tests check themselves, and some about a
 * header that any page without TLS causes.
 */
const EXPECTED = ['Failed to load resource', 'The Cross-Origin-Opener-Policy header has been ignored'];
const PICTURES = join(__dirname, 'pictures');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The path of a browser; undefined if none is installed. */
export const chromiumPath = [process.env.SLUICE_CHROMIUM ?? '', ...PLACES].find(
  (path) => path !== '' && existsSync(path),
);

/** Like `describe`. Without a browser the tests are skipped, and their titles say that a browser is missing. */
export const describeInBrowser = describeWhere({
  isMet: chromiumPath !== undefined,
  otherwise: 'no Chromium is installed here',
});

export interface Look {
  readonly width: number;
  readonly theme: 'light' | 'dark';
}

export const LOOKS: readonly Look[] = [
  { width: 1440, theme: 'light' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
];

/** All looks of a page. One of them is a window of half a screen. */
export const ALL_LOOKS: readonly Look[] = [...LOOKS, { width: 1024, theme: 'light' }, { width: 1024, theme: 'dark' }];

const SEEN_BUTTONS = `[...document.querySelectorAll('button, .button')].filter((one) => one.checkVisibility()).length`;

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** A running Chromium, with windows in which people sign in. */
export class Chromium {
  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<Chromium> {
    return new Chromium(await chromium.launch({ executablePath: chromiumPath, args: FLAGS }));
  }

  stop(): Promise<void> {
    return this.browser.close();
  }

  async person(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Person> {
    const context = await this.browser.newContext({
      baseURL: url,
      viewport: { width: 1440, height: 900 },
      timezoneId: 'UTC',
      locale: 'en-GB',
      ...options,
    });
    const complaints: string[] = [];
    await context.addInitScript({ content: REPORT_VIOLATIONS });
    const page = await context.newPage();
    page.on('console', (message) => {
      const isExpected = EXPECTED.some((start) => message.text().startsWith(start));
      if (message.type() === 'error' && !isExpected) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    return new Person(context, page, complaints);
  }
}

/** One browser window with its own session. */
export class Person {
  constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    /** Complaints of the console, of the content security policy and of scripts. */
    readonly complaints: readonly string[],
  ) {}

  async signIn(token: string, name = ''): Promise<void> {
    await this.page.goto('/ui/sign-in');
    await this.page.fill('#token', token);
    await this.page.fill('#person', name);
    await Promise.all([
      this.page.waitForURL((url) => !url.pathname.endsWith('/sign-in')),
      this.page.keyboard.press('Enter'),
    ]);
  }

  async look({ width, theme }: Look): Promise<void> {
    await this.page.setViewportSize({ width, height: 900 });
    await this.page.emulateMedia({ colorScheme: theme });
  }

  /** Findings of axe against WCAG 2.0 to 2.2 A and AA and its best practices. */
  async axe(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const violations = await this.page.evaluate<AxeViolation[]>('axe.run().then(({ violations }) => violations)');
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
  }

  /** By how much the page is wider than its window. */
  overflow(): Promise<number> {
    const root = 'document.documentElement';
    return this.page.evaluate<number>(`${root}.scrollWidth - ${root}.clientWidth`);
  }

  /**
   * Runs the script in the page, and returns its result. The script is a string, because this project's compiler does
   * not know browser types.
   */
  ask<T>(script: string): Promise<T> {
    return this.page.evaluate<T>(script);
  }

  async picture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true, animations: 'disabled' });
  }

  /**
   * Shows the page in forced colours and on paper. Returns the findings of axe, the number of printed buttons, and
   * whether the page contains `name`.
   */
  async inOtherMedia(name: string): Promise<{ axe: string[]; buttons: number; isNamed: boolean }> {
    await this.page.emulateMedia({ forcedColors: 'active' });
    await this.picture(`${name}-forced`);
    const axe = await this.axe();
    await this.page.emulateMedia({ forcedColors: 'none', media: 'print' });
    const buttons = await this.ask<number>(SEEN_BUTTONS);
    await this.picture(`${name}-print`);
    const isNamed = await this.page.isVisible('main h1');
    await this.page.emulateMedia({ media: 'screen' });
    return { axe, buttons, isNamed };
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** The expected result of `inOtherMedia`. */
export const GOOD_IN_OTHER_MEDIA = { axe: [], buttons: 0, isNamed: true };
