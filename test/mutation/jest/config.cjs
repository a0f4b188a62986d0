// The specs that judge one mutant of the shell: all specs that need PostgreSQL, in a project with one file replaced.
const { projects } = require('../../../jest.config.cjs');

const withDatabase = projects.find(({ globalSetup }) => globalSetup);
const typescript = '^.+\\.ts$';

module.exports = {
  ...withDatabase,
  testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
  testEnvironment: '<rootDir>/test/mutation/jest/first-failure-environment.cjs',
  reporters: ['<rootDir>/test/mutation/jest/problem-reporter.cjs'],
  testTimeout: 30_000,
  transform: {
    ...withDatabase.transform,
    [typescript]: ['<rootDir>/test/mutation/jest/mutant-transform.cjs', withDatabase.transform[typescript][1]],
  },
};
