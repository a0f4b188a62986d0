const { join } = require('node:path');
const { projects, ...common } = require('../../jest.config.cjs');

// Not every machine has Prometheus, so its tests are not part of `npm test`.
const service = projects.find(({ displayName }) => displayName === 'e2e');

module.exports = {
  ...common,
  rootDir: join(__dirname, '..', '..'),
  testTimeout: 60_000,
  maxWorkers: 1,
  projects: [{ ...service, displayName: 'prometheus', testMatch: ['<rootDir>/test/prometheus/**/*.spec.ts'] }],
};
