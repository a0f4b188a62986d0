const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const { name } = require('../../package.json');
const { projects, ...common } = require('../../jest.config.cjs');

// Chromium is slow to start, so its tests are not part of `npm test`.
const service = projects.find(({ displayName }) => displayName === 'e2e');

module.exports = {
  ...common,
  rootDir: join(__dirname, '..', '..'),
  testTimeout: 120_000,
  // Each worker needs another processor for its Chromium, so more workers would only wait.
  maxWorkers: availableParallelism(),
  projects: [
    {
      ...service,
      displayName: 'browser',
      testMatch: ['<rootDir>/test/browser/**/*.spec.ts'],
      // An extension imports this package by its name.
      moduleNameMapper: {
        [`^${name}$`]: '<rootDir>/src/index.ts',
        [`^${name}/testing$`]: '<rootDir>/src/testing/index.ts',
      },
    },
  ],
};
