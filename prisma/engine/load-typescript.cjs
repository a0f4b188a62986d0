// Lets a script of Node require() our TypeScript files without a build.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

const jsc = {
  target: 'es2022',
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: true },
};

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    module: { type: 'commonjs' },
    jsc,
  });
  module._compile(code, filename);
};
