import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { ReportedResult } from '../reported-result';
import { readReport } from '../read-report';

const REPORTS = join(__dirname, '../../../../../test/fixtures/reports');

async function resultsOf(chunks: AsyncIterable<Uint8Array>): Promise<ReportedResult[]> {
  const results: ReportedResult[] = [];
  for await (const some of readReport(chunks, { fileName: 'report.xml' })) results.push(...some);
  return results;
}

const fixture = (path: string) => resultsOf(createReadStream(join(REPORTS, path)));

async function* inOnePiece(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const PLAYWRIGHT =
  '<testsuites id="" name="" tests="1" failures="0" skipped="0" errors="0" time="1">' +
  '<testsuite name="a.spec.ts" timestamp="2026-11-22T12:00:00Z" hostname="chromium" tests="1" failures="0" skipped="0" time="1" errors="0">' +
  '<testcase name="adds" classname="a.spec.ts" time="1"/></testsuite></testsuites>';

describe('habits of single runners', () => {
  it('Playwright: the same test in two projects is two tests', async () => {
    const results = await fixture('playwright/projects.xml');
    const named = (name: string) => results.filter((result) => result.name === name);
    expect(named('the cart › shows the price').map(({ parent, outcome }) => [parent, outcome])).toEqual([
      ['chromium > cart.spec.ts', 'passed'],
      ['firefox > cart.spec.ts', 'failed'],
    ]);
    expect(new Set(results.map(({ formerly }) => formerly?.parent))).toEqual(new Set(['cart.spec.ts']));
  });

  it('Playwright without projects: the suite is the file', async () => {
    const results = await fixture('playwright/no-project.xml');
    expect(new Set(results.map(({ parent }) => parent))).toEqual(new Set(['cart.spec.ts']));
    expect(results.some(({ formerly }) => formerly !== undefined)).toBe(false);
  });

  it('Vitest and other runners: the host name is a machine and not part of the name of a test', async () => {
    const results = await fixture('vitest/random-1.xml');
    expect(new Set(results.map(({ parent }) => parent))).toEqual(new Set(['src/cart.test.ts']));
  });

  it.each([
    ['a root without an id', (xml: string) => xml.replace(' id=""', '')],
    ['a package attribute at the suite', (xml: string) => xml.replace(' hostname', ' package="a" hostname')],
    ['another class than the suite', (xml: string) => xml.replace('classname="a.spec.ts"', 'classname="A"')],
    ['a file attribute at the test case', (xml: string) => xml.replace(' classname', ' file="a.spec.ts" classname')],
  ])('a report with %s is not from Playwright, so its host name is a machine', async (_what, changed) => {
    const parents = async (xml: string) => (await resultsOf(inOnePiece(xml))).map(({ parent }) => parent);
    expect(await parents(PLAYWRIGHT)).toEqual(['chromium > a.spec.ts']);
    expect(await parents(changed(PLAYWRIGHT))).toEqual(['a.spec.ts']);
  });

  it('Cypress: suites belong to the file that the previous root suite names', async () => {
    const cart = await fixture('mocha-junit-reporter/cypress-cart.xml');
    const basket = await fixture('mocha-junit-reporter/cypress-basket.xml');
    expect([...cart, ...basket].map(({ name, file, formerly }) => [name, file, formerly])).toEqual([
      ['The cart adds widgets', 'cypress/e2e/cart.cy.js', { file: '' }],
      ['The cart when it is full refuses more', 'cypress/e2e/cart.cy.js', { file: '' }],
      ['The cart adds widgets', 'cypress/e2e/basket.cy.js', { file: '' }],
      ['The cart when it is full refuses more', 'cypress/e2e/basket.cy.js', { file: '' }],
    ]);
  });

  it('Cypress: in a report of several files, each root suite begins a new file', async () => {
    const suite = (name: string, file = '') =>
      `<testsuite name="${name}" tests="1"${file}><testcase name="in ${name}"/></testsuite>`;
    const first = `${suite('Root Suite', ' file="a.cy.js"')}${suite('one')}`;
    const xml = `<testsuites name="Mocha Tests">${first}${suite('Root Suite')}${suite('two')}</testsuites>`;
    const files = (await resultsOf(inOnePiece(xml))).map(({ file }) => file);
    expect(files).toEqual(['a.cy.js', 'a.cy.js', '', '']);
    const others = (await resultsOf(inOnePiece(xml.replace('Mocha Tests', 'tests')))).map(({ file }) => file);
    expect(others).toEqual(['a.cy.js', '', '', '']);
  });

  it('mocha: each suite names its own file', async () => {
    const results = await fixture('mocha-junit-reporter/mocha.xml');
    expect(results.map(({ file }) => file.split('/').at(-1))).toEqual([
      ...['cart.spec.js', 'cart.spec.js', 'shelf.spec.js', 'shelf.spec.js'],
    ]);
    expect(results.some(({ formerly }) => formerly !== undefined)).toBe(false);
  });
});
