// Writes the first problem of a run to SLUICE_RESULTS, because jest writes no results when --bail ends the run.
const { writeFileSync } = require('node:fs');

module.exports = class ProblemReporter {
  onRunComplete(_, { testResults }) {
    const suite = testResults.find(({ failureMessage }) => failureMessage);
    const test = suite?.testResults.find(({ status }) => status === 'failed');
    const problem = test?.fullName ?? suite?.failureMessage.split('\n').slice(0, 5).join(' ') ?? null;
    writeFileSync(process.env.SLUICE_RESULTS, JSON.stringify({ problem }));
  }
};
