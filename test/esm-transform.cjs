// jest transform for node_modules: ES modules become CommonJS (SWC); everything else stays unchanged.
const { dirname, join } = require('node:path');
const { existsSync, readFileSync } = require('node:fs');
const { createTransformer } = require('@swc/jest');
const swc = createTransformer({
  swcrc: false,
  sourceMaps: false,
  module: { type: 'commonjs' },
  jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
});
const types = new Map();
function isModule(dir) {
  if (types.has(dir)) return types.get(dir);
  const f = join(dir, 'package.json');
  const r =
    existsSync(f) &&
    (() => {
      const p = JSON.parse(readFileSync(f, 'utf8'));
      return p.name || p.type ? { v: p.type === 'module' } : undefined;
    })();
  const v = r ? r.v : dirname(dir) === dir ? false : isModule(dirname(dir));
  types.set(dir, v);
  return v;
}
// This package is CommonJS with import(), which jest does not support in CommonJS.
const IMPORTS = /node_modules[\\/]@opentelemetry[\\/]otlp-exporter-base[\\/]/;
const esm = (f) => f.endsWith('.mjs') || (f.endsWith('.js') && (IMPORTS.test(f) || isModule(dirname(f))));
module.exports = {
  canInstrument: false,
  getCacheKey: (src, f, o) =>
    esm(f)
      ? swc.getCacheKey(src, f, o)
      : 'cjs' + require('node:crypto').createHash('sha1').update(f).update(src).digest('hex'),
  process: (src, f, o) => (esm(f) ? swc.process(src, f, o) : { code: src }),
};
