// Compiles TypeScript like the test suite, except for the file that SLUICE_MUTANT (a JSON file with file and text)
// replaces.
const { readFileSync } = require('node:fs');
const { createTransformer } = require('@swc/jest').default ?? require('@swc/jest');

const mutant = JSON.parse(readFileSync(process.env.SLUICE_MUTANT, 'utf8'));
const textOf = (text, file) => (mutant?.file === file ? mutant.text : text);

module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      ...swc,
      process: (text, file, more) => swc.process(textOf(text, file), file, more),
      getCacheKey: (text, file, more) => swc.getCacheKey(textOf(text, file), file, more),
    };
  },
};
