// On a fresh clone jest knows no durations, so it begins with the largest files. The files of families have three
// lines, but take longest. If such a file began last, the other workers would be idle.
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
