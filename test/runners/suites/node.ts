import type { TestRunner } from '../runner';
import { fileOf } from './javascript';

const HEAD = `import fs from 'node:fs';
import { after as afterAll, afterEach, before as beforeAll, beforeEach, describe as group, test } from 'node:test';
const plan = JSON.parse(fs.readFileSync('plan.json', 'utf8'));
const hooks = { beforeAll, afterAll, beforeEach, afterEach }, isRetry = () => true;`;

/** The test runner of this Node. The runner has no retries, and never stops early. */
export const node: TestRunner = {
  name: 'Node',
  install: () => null,
  hidesTeardown: () => true,
  filesOf: ({ files }) =>
    Object.fromEntries(files.map((file) => [`${file.name}.test.mjs`, fileOf(file, { head: HEAD })] as const)),
  commandOf: (_suite, files) => [
    ...[process.execPath, '--test', '--test-reporter', 'spec', '--test-reporter-destination', 'stdout'],
    ...['--test-reporter', 'junit', '--test-reporter-destination', 'report.xml'],
    ...files.map(({ name }) => `${name}.test.mjs`),
  ],
};
