// Lets a Node script require() the project's TypeScript files without a build. Compiled files are cached next to the
// packages.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

// A workaround for paths with letters such as é: see src/platform/config/non-ascii-path.ts.
if (/[^\0-\x7f]/.test(__dirname)) require('node:v8').setFlagsFromString('--no-turbo-fast-api-calls');

const jsc = {
  target: 'es2022',
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
};
const CACHE = join(__dirname, '../../node_modules/.cache/sluice-typescript');
const COMPILER = `${require('@swc/core/package.json').version} ${JSON.stringify(jsc)}`;

require.extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  const name = createHash('sha256').update(`${COMPILER}\n${filename}\n${source}`).digest('hex');
  const kept = join(CACHE, `${name}.js`);
  module._compile(read(kept) ?? compile(source, filename, kept), filename);
};

function compile(source, filename, kept) {
  // Loading the compiler takes longer than loading most files.
  const { transformSync } = require('@swc/core');
  const { code } = transformSync(source, { filename, swcrc: false, module: { type: 'commonjs' }, jsc });
  try {
    mkdirSync(CACHE, { recursive: true });
    // The file is written under another name first, because other processes may read it meanwhile.
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
  } catch {
    // The packages belong to another user, so nothing is cached.
  }
  return code;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
