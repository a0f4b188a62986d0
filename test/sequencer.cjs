// On a fresh clone jest knows no durations and begins with the largest files. These are small but take longest: if one
// of them began last, the other workers would be idle. A family is a file of three lines.
const Sequencer = require('@jest/test-sequencer').default;

const LONG = [
  /test\/contract\/(github|git|git-host|gitea|gitlab)\.spec\.ts$/,
  /test\/e2e\/(demo|kill|reverse-proxy)\.spec\.ts$/,
  /test\/families\/(?!unit-)[\w-]+\.family\.ts$/,
  /test\/(integration\/(outbox-tasks|github-events)|openapi\/fuzz|scenarios\/service-\w+)\.spec\.ts$/,
];

module.exports = class LongOnesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONG.some((paths) => paths.test(path));
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
