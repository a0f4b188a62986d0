// node launch.cjs starts the service itself from its source, like `npm start`. The parent of this process may send {
// point, time }: the process kills itself, like kill -9, when it reaches that crash point for the n-th time from then
// on.
require('../../prisma/engine/load-typescript.cjs');
const { CrashPoints } = require('../../src/platform/lifecycle/crash-points.ts');

let armed = null;
process.on('message', (message) => {
  armed = message && { ...message };
});
process.channel.unref();
CrashPoints.prototype.reach = (point) => {
  if (point !== armed?.point) return;
  armed.time -= 1;
  if (armed.time === 0) process.kill(process.pid, 'SIGKILL');
};

require('../../src/main.ts');
