import { javascriptRunner } from './javascript';

const COMMONJS = `const fs = require('fs');
const plan = JSON.parse(fs.readFileSync('plan.json', 'utf8'));`;

export const jest = javascriptRunner({
  name: 'Jest',
  packages: ['jest@30.5.2', 'jest-junit@17.0.0'],
  extension: 'test.js',
  head: `${COMMONJS}
const group = describe, hooks = { beforeAll, afterAll, beforeEach, afterEach }, isRetry = () => false;
jest.retryTimes(RETRIES);`,
  files: {
    'jest.config.js': `module.exports = { testEnvironment: 'node', transform: {}, maxWorkers: 1, cache: false,
      reporters: ['default', ['jest-junit', { outputName: 'report.xml' }]] };`,
  },
  program: 'jest/bin/jest.js',
  words: ({ stopsAfter, retries }) => [
    ...['--ci', `--globals={"RETRIES":${retries}}`],
    ...(stopsAfter > 0 ? [`--bail=${stopsAfter}`] : []),
  ],
});

export const vitest = javascriptRunner({
  name: 'Vitest',
  packages: ['vitest@3.2.7'],
  extension: 'test.mjs',
  head: `import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe as group, test } from 'vitest';
const plan = JSON.parse(fs.readFileSync('plan.json', 'utf8'));
const hooks = { beforeAll, afterAll, beforeEach, afterEach }, isRetry = () => false;`,
  files: {},
  program: 'vitest/vitest.mjs',
  words: ({ stopsAfter, retries }) => [
    ...[
      'run',
      '--root',
      '.',
      '--no-file-parallelism',
      '--reporter=default',
      '--reporter=junit',
      '--outputFile.junit=report.xml',
    ],
    ...(stopsAfter > 0 ? [`--bail=${stopsAfter}`] : []),
    ...(retries > 0 ? [`--retry=${retries}`] : []),
  ],
});

export const mocha = javascriptRunner({
  name: 'Mocha',
  packages: ['mocha@11', 'mocha-junit-reporter@2.2.1', 'mocha-multi-reporters@1.5.1'],
  extension: 'test.js',
  head: `${COMMONJS}
const group = describe, test = it, isRetry = () => false;
const hooks = { beforeAll: before, afterAll: after, beforeEach, afterEach };`,
  files: {
    'reporters.json':
      '{"reporterEnabled":"spec,mocha-junit-reporter","mochaJunitReporterReporterOptions":{"mochaFile":"report.xml"}}',
  },
  program: 'mocha/bin/mocha.js',
  words: ({ stopsAfter, retries }) => [
    ...['--reporter', 'mocha-multi-reporters', '--reporter-options', 'configFile=reporters.json'],
    ...(stopsAfter > 0 ? ['--bail'] : []),
    ...(retries > 0 ? ['--retries', `${retries}`] : []),
  ],
});

export const playwright = javascriptRunner({
  name: 'Playwright',
  packages: ['@playwright/test@1.65.1'],
  extension: 'spec.js',
  head: `${COMMONJS}
const { test } = require('@playwright/test');
const group = test.describe, serial = test.describe.serial, hooks = test, isRetry = () => test.info().retry > 0;`,
  serial: 'serial',
  files: {
    'playwright.config.js': `module.exports = { testDir: '.', workers: 1,
      reporter: [['list'], ['junit', { outputFile: 'report.xml' }]] };`,
  },
  program: '@playwright/test/cli.js',
  words: ({ stopsAfter, retries, isStrict }) => [
    'test',
    ...(stopsAfter > 0 ? [`--max-failures=${stopsAfter}`] : []),
    ...(retries > 0 ? [`--retries=${retries}`] : []),
    ...(isStrict ? ['--fail-on-flaky-tests'] : []),
  ],
});
