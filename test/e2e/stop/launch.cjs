// node launch.cjs: the service itself, as `npm start` runs it, from source. TEST_CLOCK_AHEAD_MS: on a machine whose clock is wrong.
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
require('../../../prisma/engine/load-typescript.cjs');
require('../../../src/main.ts');
