import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runSluice } from '../../src/cli/run-sluice';
import type { Client } from './client';
import { Rows, shaOf } from './rows';
import { NOW, Service } from './service';

const JEST = join(__dirname, '../../node_modules/jest/bin/jest.js');
const COMMON = { repo: { host: 'local', owner: 'acme', name: 'widgets' }, org_url_slug: 'acme' };
const OF_CI = /^(GITHUB_|GITLAB_|CI_|CI$|BUILDKITE|CIRCLE|JENKINS_|BUILD_|GIT_|CHANGE_|RUNNER_|SLUICE_)/;

/** Like the reporter that most use, it leaves a file that does not load out of the report. */
const REPORTER = `
const escaped = (text) => text.replace(/[<>&"]/g, (c) => '&#' + c.charCodeAt(0) + ';');
module.exports = class {
  onRunComplete(_contexts, { testResults }) {
    const cases = testResults.flatMap((file) => file.testResults.map((test) =>
      '<testcase classname="widgets" name="' + escaped(test.fullName) + '">' +
        test.failureMessages.map((text) => '<failure message="' + escaped(text.split('\\n')[0]) + '"/>').join('') + '</testcase>'));
    require('fs').writeFileSync('jest.xml', '<testsuites><testsuite name="widgets">' + cases.join('') + '</testsuite></testsuites>');
  }
};`;

const PROJECT = {
  'jest.config.js': `module.exports = {
    testEnvironment: 'node', transform: {}, cache: false, testMatch: ['<rootDir>/*.jest.js'],
    reporters: ['default', './reporter.js'], coverageProvider: 'v8', coverageReporters: ['none'],
    collectCoverage: require('fs').existsSync(__dirname + '/covered'), coverageThreshold: { global: { branches: 100 } },
  };`,
  'reporter.js': REPORTER,
  'price.js': 'exports.price = (size) => (size > 2 ? 12 : 10);',
  'price.jest.js': `test('has a price', () => expect(require('./price').price(1)).toBe(10));`,
  'sign.jest.js': `test('has a sign', () => undefined);`,
  'clock.jest.js': `test('shows the time', () => expect(require('fs').existsSync('late')).toBe(false));`,
};

describe('Failures that sluice upload --quarantine ignores, with real runners', () => {
  const home = process.cwd();
  const environment = { ...process.env };
  let service: Service;
  let admin: Client;
  let folder: string;
  let runs = 0;
  let printed = '';

  beforeAll(async () => {
    for (const name of Object.keys(process.env).filter((name) => OF_CI.test(name))) delete process.env[name];
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-forgiven-')));
    mkdirSync(join(folder, 'shop'));
    for (const [name, text] of Object.entries(PROJECT)) write(name, text);
    service = await Service.start({ dataDirectory: join(folder, 'data') });
    await new Rows(service.prisma, NOW).repository(await service.organization('acme'), 'widgets');
    admin = await service.client('acme', 'admin');
    Object.assign(process.env, { SLUICE_URL: service.url, SLUICE_TOKEN: (await service.client('acme', 'ci')).token });
    process.chdir(join(folder, 'shop'));
    await post('update-settings', { quarantine_enabled: true });
  });

  afterAll(async () => {
    process.chdir(home);
    process.env = { ...environment };
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(() => {
    printed = '';
    for (const stream of [process.stdout, process.stderr]) {
      jest.spyOn(stream, 'write').mockImplementation((chunk) => {
        printed += chunk.toString();
        return true;
      });
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const name of ['late', 'covered', 'new.jest.js', 'lost.test.mjs'])
      rmSync(join(folder, 'shop', name), { force: true });
    for (const [name, text] of Object.entries(PROJECT)) write(name, text);
  });

  function write(name: string, text: string): void {
    mkdirSync(dirname(join(folder, 'shop', name)), { recursive: true });
    writeFileSync(join(folder, 'shop', name), text);
  }

  const post = (operation: string, body: object) => admin.post(`flaky-tests/${operation}`, { ...COMMON, ...body });

  async function quarantine(name: string): Promise<void> {
    const { id } = await service.prisma.testCase.findFirstOrThrow({ where: { name } });
    await post('set-quarantine', { test_case_id: id, setting: 'always_quarantine', reason: 'its clock is slow' });
  }

  async function upload(reports: string, ...command: readonly string[]) {
    runs += 1;
    const said = { out: '', err: '' };
    const terminal = {
      out: (text: string) => void (said.out += text),
      err: (text: string) => void (said.err += text),
      columns: undefined,
    };
    const of = ['--repo', 'local/acme/widgets', '--org', 'acme', '--commit', shaOf(runs), '--branch', 'main'];
    const words = ['upload', reports, ...of, '--job', 'unit', '--quarantine', '--', ...command];
    return { exit: await runSluice(words, terminal), ...said };
  }

  const jestRun = () => upload('jest.xml', process.execPath, JEST, '--config', 'jest.config.js');

  it('are none in the first run, and none of a test that is not quarantined', async () => {
    write('late', '');
    const first = await jestRun();
    expect([first.exit, first.err]).toEqual([1, expect.stringContaining('1 of the failed tests is not quarantined.')]);
    await quarantine('shows the time');
    await service.prisma.testUpload.deleteMany();
    const unknown = await jestRun();
    expect([unknown.exit, unknown.err]).toEqual([1, expect.stringContaining('No earlier run of this job is known')]);
    // What jest printed has gone through.
    expect(printed).toMatch(/● shows the time[^]*Tests: +1 failed, 2 passed, 3 total/);
  });

  it('are those of a quarantined test, when nothing else failed', async () => {
    write('late', '');
    const { exit, out } = await jestRun();
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(/Every failed test is quarantined, and nothing else failed\.\n$/),
    ]);
  });

  it('are none while a file cannot be loaded whose tests were there before', async () => {
    write('late', '');
    write('sign.jest.js', `require('./no-such-file'); test('has a sign', () => undefined);`);
    const { exit, out, err } = await jestRun();
    expect(exit).toBe(1);
    expect(err).toContain('1 test that the last runs of this job had is missing from the reports.');
    expect(out).toContain(`widgets › has a sign, last seen at ${shaOf(runs - 1).slice(0, 12)}`);
  });

  it('are none while a file cannot be loaded that nobody knows yet', async () => {
    write('late', '');
    write('new.jest.js', `require('./no-such-file'); test('is new', () => undefined);`);
    const { exit, err } = await jestRun();
    expect([exit, err]).toEqual([1, expect.stringContaining('"● Test suite failed to run"')]);
  });

  it('are none while a coverage threshold is missed', async () => {
    write('late', '');
    write('covered', '');
    const { exit, err } = await jestRun();
    expect([exit, err]).toEqual([1, expect.stringMatching(/"Jest: Coverage for branches .* does not meet/)]);
  });

  it('are none while a test is missing that was renamed', async () => {
    write('late', '');
    write('sign.jest.js', `test('has a large sign', () => undefined);`);
    const { exit, out } = await jestRun();
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(/Missing, but in earlier runs.*\n {2}widgets › has a sign, last/),
    ]);
  });

  describe("of Node's own runner", () => {
    const nodeRun = () =>
      upload(
        'node.xml',
        process.execPath,
        ...['--test', '--test-reporter', 'junit', '--test-reporter-destination', 'node.xml'],
        ...['--test-reporter', 'spec', '--test-reporter-destination', 'stdout', '.'],
      );

    beforeAll(() => {
      const late = `import { existsSync } from 'node:fs'; import { test } from 'node:test';`;
      write('clock.test.mjs', `${late} test('ticks', () => { if (existsSync('late')) throw new Error('late'); });`);
    });

    it('are those of a quarantined test alone, and none while a file cannot be loaded', async () => {
      expect(await nodeRun()).toMatchObject({ exit: 0 });
      await quarantine('ticks');
      write('late', '');
      expect(await nodeRun()).toMatchObject({ exit: 0 });
      write('lost.test.mjs', `import './no-such-file.mjs';`);
      const { exit, err } = await nodeRun();
      expect([exit, err]).toEqual([1, expect.stringContaining('1 of the failed tests is not quarantined.')]);
    });
  });
});
