// On a fresh clone jest knows no durations and begins with the longest files. These are short and take longest.
const Sequencer = require('@jest/test-sequencer').default;

const LONG = /test\/(contract\/(github|git|git-host)|e2e\/(demo|github|kill)|scenarios\/service-\w+)\.spec\.ts$/;

module.exports = class LongOnesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
