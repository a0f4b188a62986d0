// Skips the tests of a file after its first failure, because one failure kills a mutant.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class FirstFailureEnvironment extends TestEnvironment {
  hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.hasFailed = true;
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
  }
};
