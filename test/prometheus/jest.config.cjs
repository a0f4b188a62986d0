const { join } = require('node:path');
const { projects, ...common } = require('../../jest.config.cjs');

// Prometheus is not on every machine, so its tests are not among those of `npm test`.
const service = projects.find(({ displayName }) => displayName === 'e2e');

module.exports = {
  ...common,
  rootDir: join(__dirname, '..', '..'),
  testTimeout: 60_000,
  maxWorkers: 1,
  projects: [{ ...service, displayName: 'prometheus', testMatch: ['<rootDir>/test/prometheus/**/*.spec.ts'] }],
};
