// node launch.cjs <entry of TypeScript> <bundle> <arguments> starts a program that trusts the further certificate
// authorities in NODE_EXTRA_CA_CERTS.
const runBundled = require('../../support/run-bundled.cjs');

const [entry, bundle] = process.argv.splice(2, 2);
void runBundled(entry, bundle);
