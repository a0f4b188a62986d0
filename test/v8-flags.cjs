// Loaded by npm test before jest, and by jest's workers. V8 optimizes functions after eight times as much work as
// usual, because most code of a spec file runs rarely. With this, unit tests and simulations took 70 s instead of 82.
// Since Node 22 V8 counts calls instead: 40 s instead of 45.
const v8 = require('node:v8');

// The same condition as in src/platform/config/non-ascii-path.ts.
const isAtRisk = /[^\0-\x7f]/.test(__dirname) && !process.versions.node.startsWith('20.');
if (isAtRisk) v8.setFlagsFromString('--no-turbo-fast-api-calls');

const SELDOM = process.versions.node.startsWith('20.')
  ? '--interrupt-budget=540672'
  : '--invocation-count-for-turbofan=24000';
v8.setFlagsFromString(SELDOM);
