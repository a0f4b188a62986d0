// node launch.cjs <entry of TypeScript> <bundle> <arguments>: a program that may trust further authorities
// (NODE_EXTRA_CA_CERTS).
const runBundled = require('../../support/run-bundled.cjs');

const [entry, bundle] = process.argv.splice(2, 2);
void runBundled(entry, bundle);
