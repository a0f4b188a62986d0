import { join } from 'node:path';
import { UploadingProject } from './uploading-project';

const JEST = join(__dirname, '../../node_modules/jest/bin/jest.js');

/** A reporter that omits a test file that does not load, as the most common reporter does. */
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
  let project: UploadingProject;

  beforeAll(async () => {
    project = await UploadingProject.open(PROJECT);
  });
  afterAll(() => project.close());
  afterEach(() => {
    project.remove('late', 'covered', 'new.jest.js', 'lost.test.mjs');
    project.writeAll(PROJECT);
  });

  const jestRun = () => project.upload('jest.xml', [process.execPath, JEST, '--config', 'jest.config.js']);

  it('are not ignored in the first run of a job, nor for a test that is not quarantined', async () => {
    project.write('late', '');
    const first = await jestRun();
    expect([first.exit, first.err]).toEqual([1, expect.stringContaining('1 of the failed tests is not quarantined.')]);
    expect(first.out).not.toContain('is not quarantined.'); // said once
    await project.quarantine('shows the time');
    await project.service.prisma.testUpload.deleteMany();
    const unknown = await jestRun();
    expect([unknown.exit, unknown.err]).toEqual([1, expect.stringContaining('No earlier run of this job is known')]);
    // The output of jest itself is passed on.
    expect(project.printed).toMatch(/● shows the time[^]*Tests: +1 failed, 2 passed, 3 total/);
  });

  it('are ignored for a quarantined test if nothing else failed', async () => {
    project.write('late', '');
    const { exit, out } = await jestRun();
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(/Every failed test is quarantined, and nothing else failed\.\n$/),
    ]);
  });

  it('are not ignored in the first run with other options: the command says how to name the part of the job', async () => {
    project.write('late', '');
    const command = [process.execPath, JEST, '--config', 'jest.config.js', '--verbose'];
    const { exit, err } = await project.upload('jest.xml', command);
    expect([exit, err]).toEqual([1, expect.stringContaining('and changes with them: set a fixed name with --part.')]);
  });

  it('are not ignored while a file with earlier tests cannot be loaded', async () => {
    project.write('late', '');
    project.write('sign.jest.js', `require('./no-such-file'); test('has a sign', () => undefined);`);
    const before = project.lastCommit;
    const { exit, out, err } = await jestRun();
    expect(exit).toBe(1);
    expect(err).toContain('1 test that the last runs of this job had is missing from the reports.');
    expect(out).toContain(`widgets › has a sign, last seen at ${before.slice(0, 12)}`);
  });

  it('are not ignored while a new file cannot be loaded', async () => {
    project.write('late', '');
    project.write('new.jest.js', `require('./no-such-file'); test('is new', () => undefined);`);
    const { exit, err } = await jestRun();
    expect([exit, err]).toEqual([1, expect.stringContaining('"● Test suite failed to run"')]);
  });

  it('are not ignored while a coverage threshold is missed', async () => {
    project.write('late', '');
    project.write('covered', '');
    const { exit, err } = await jestRun();
    expect([exit, err]).toEqual([1, expect.stringMatching(/"Jest: Coverage for branches .* does not meet/)]);
  });

  it('are not ignored while a renamed test is missing', async () => {
    project.write('late', '');
    project.write('sign.jest.js', `test('has a large sign', () => undefined);`);
    const { exit, out } = await jestRun();
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(/Missing tests, present in earlier runs.*\n {2}widgets › has a sign, last/),
    ]);
  });

  it('are not ignored if the output counts more warnings, or the like, than every run that ended with 0', async () => {
    const script = `const { readFileSync, writeFileSync } = require('fs');
      const exit = Number(readFileSync('exit'));
      writeFileSync('p.xml', '<testsuite name="widgets"><testcase name="shows the time" classname="widgets">' + (exit ? '<failure/>' : '') +
        '</testcase></testsuite>');
      console.log('==== ' + readFileSync('counts') + ' in 0.02s ====');
      process.exit(exit);`;
    const counting = (counts: string, exit: number) => {
      project.write('counts', counts);
      project.write('exit', `${exit}`);
      return project.upload('p.xml', [process.execPath, '-e', script]);
    };
    expect(await counting('1 passed, 2 warnings', 0)).toMatchObject({ exit: 0 });
    expect(await counting('1 failed, 2 warnings', 1)).toMatchObject({ exit: 0 });
    const { exit, err } = await counting('1 failed, 3 warnings', 1);
    expect([exit, err]).toEqual([1, expect.stringContaining('pytest counts 3 warnings, more than in any run')]);
    expect((await counting('2 failed, 2 warnings', 1)).err).toContain(
      'pytest counts 2 failures, and the reports have 1.',
    );
  });

  describe("of Node's own test runner", () => {
    beforeAll(() => {
      const late = `import { existsSync } from 'node:fs'; import { test } from 'node:test';`;
      project.write(
        'clock.test.mjs',
        `${late} test('ticks', () => { if (existsSync('late')) throw new Error('late'); });`,
      );
    });

    it('are ignored if only a quarantined test failed, but not while a file cannot be loaded', async () => {
      expect(await project.runWithNode()).toMatchObject({ exit: 0 });
      await project.quarantine('ticks');
      project.write('late', '');
      expect(await project.runWithNode()).toMatchObject({ exit: 0 });
      project.write('lost.test.mjs', `import './no-such-file.mjs';`);
      const { exit, err } = await project.runWithNode();
      expect([exit, err]).toEqual([1, expect.stringContaining('Something failed outside tests')]);
    });

    it('are not ignored while an earlier test is skipped, until a run that ended with 0 also skipped that test', async () => {
      const bell = (options: string) =>
        project.write('bell.test.mjs', `import { test } from 'node:test'; test('rings', ${options}() => {});`);
      bell('');
      expect(await project.runWithNode()).toMatchObject({ exit: 0 });
      bell('{ skip: true }, ');
      project.write('late', '');
      const { exit, err } = await project.runWithNode();
      expect([exit, err]).toEqual([
        1,
        expect.stringContaining(
          '1 test that ran before was skipped, and no run of this job that ended with 0 skipped it.',
        ),
      ]);
      project.remove('late');
      expect(await project.runWithNode()).toMatchObject({ exit: 0 });
      project.write('late', '');
      expect(await project.runWithNode()).toMatchObject({ exit: 0 });
    });
  });
});
