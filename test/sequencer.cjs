const Sequencer = require('@jest/test-sequencer').default;

// They collect all garbage of a worker many times, which takes twice as long once it has loaded the modules of everybody.
const FIRST = [/src\/test-health\/reports\/(any-format|junit\/junit)\.spec\.ts$/];

// On a fresh clone jest knows no durations and begins with the longest files. These take longest, however short: one of them that began last
// would leave the other workers idle.
const LONG = [
  /test\/contract\/(github|git|git-host|gitea|gitlab)\.spec\.ts$/,
  /test\/e2e\/(demo|github|kill|webhooks-kill|forge-kill)\.spec\.ts$/,
  /test\/(integration\/(outbox-tasks|github-events)|openapi\/fuzz|scenarios\/service-\w+)\.spec\.ts$/,
];

module.exports = class LongOnesFirst extends Sequencer {
  sort(tests) {
    const isIn = (group) => (test) => group.some((paths) => paths.test(test.path));
    const rankOf = (test) => [isIn(FIRST), isIn(LONG), () => true].findIndex((is) => is(test));
    // What is of one rank stays in the order of jest.
    return [...super.sort(tests)].sort((one, other) => rankOf(one) - rankOf(other));
  }
};
