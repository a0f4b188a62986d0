// This file is loaded by npm test before jest, and by jest's workers. V8 optimizes functions after eight times as much
// work as usual, because most code of a spec file runs rarely. With this flag, unit tests and simulations took 70 s
// instead of 82. Since Node 22 V8 counts calls, for which another flag is set: 40 s instead of 45.
const v8 = require('node:v8');

// This condition must stay the same as the one in src/platform/config/non-ascii-path.ts.
const isAtRisk = /[^\0-\x7f]/.test(__dirname) && !process.versions.node.startsWith('20.');
if (isAtRisk) v8.setFlagsFromString('--no-turbo-fast-api-calls');

const SELDOM = process.versions.node.startsWith('20.')
  ? '--interrupt-budget=540672'
  : '--invocation-count-for-turbofan=24000';
v8.setFlagsFromString(SELDOM);
