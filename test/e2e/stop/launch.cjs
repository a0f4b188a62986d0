// node launch.cjs <bundle> starts the service itself, as `npm start` does, from its source. TEST_CLOCK_AHEAD_MS sets
// how far the machine's clock is ahead.
const { join } = require('node:path');
const runBundled = require('../../support/run-bundled.cjs');

const aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);
if (aheadMs !== 0) {
  const RightDate = Date;
  globalThis.Date = class extends RightDate {
    constructor(...args) {
      super(...(args.length === 0 ? [RightDate.now() + aheadMs] : args));
    }
    static now() {
      return RightDate.now() + aheadMs;
    }
  };
}

const [bundle] = process.argv.splice(2, 1);
void runBundled(join(__dirname, '../../../src/main.ts'), bundle);
