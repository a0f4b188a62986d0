// node launch.cjs <bundle> <settings as JSON> starts the killable service from its source.
const { join } = require('node:path');
const runBundled = require('../../support/run-bundled.cjs');

const [bundle] = process.argv.splice(2, 1);
void runBundled(join(__dirname, 'killable-service.ts'), bundle);
