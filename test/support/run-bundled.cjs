// Runs a TypeScript program from one compiled file that includes everything the program needs: loading the service
// takes 0.4 s of CPU instead of 1.4. The first process of a test run makes this file. No source may change during the
// run.
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script } = require('node:vm');

const PROJECT = join(__dirname, '../..');

/** `bundle` is the path of the compiled file, in a folder of this test run. */
module.exports = async function runBundled(entry, bundle) {
  if (!existsSync(bundle)) await makeBundle(entry, bundle);
  const compiled = `${bundle}.compiled`;
  const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined;
  const script = new Script(Module.wrap(readFileSync(bundle, 'utf8')), { filename: bundle, cachedData });
  const module = new Module(entry);
  script.runInThisContext()(module.exports, Module.createRequire(entry), module, entry, dirname(entry));
  // The cache is written after the program has run, so that it includes the functions that a start needs.
  if (cachedData === undefined) writeAtOnce(compiled, script.createCachedData());
};

async function makeBundle(entry, bundle) {
  const { build } = require('esbuild');
  const { outputFiles } = await build({
    entryPoints: [entry],
    absWorkingDir: PROJECT,
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    plugins: [{ name: 'as Node loads it', setup }],
  });
  writeAtOnce(bundle, outputFiles[0].contents);
}

/** Writes the file in one step, because other processes may read it at the same time. */
function writeAtOnce(path, content) {
  writeFileSync(`${path}.${process.pid}`, content);
  renameSync(`${path}.${process.pid}`, path);
}

function setup({ onLoad, onResolve }) {
  onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: withPlace(path, compile(path)) }));
  onLoad({ filter: /\/node_modules\/.*\.m?js$/ }, ({ path }) => {
    const code = readFileSync(path, 'utf8');
    if (/\bimport\.meta\b/.test(code)) return { contents: withMeta(path, code) };
    return /\b__(file|dir)name\b/.test(code) ? { contents: withPlace(path, code) } : undefined;
  });
  // A missing package stays external, because the modules that import it can do without it.
  onResolve({ filter: /^[^./]/ }, ({ path, resolveDir }) =>
    isInstalled(path, resolveDir) ? undefined : { path, external: true },
  );
}

function compile(path) {
  const { transformSync } = require('@swc/core');
  const jsc = {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  };
  // The shebang of the program is removed, because it would not be the first line of the bundle.
  const source = readFileSync(path, 'utf8').replace(/^#!.*/, '');
  return transformSync(source, { filename: path, swcrc: false, module: { type: 'commonjs' }, jsc }).code;
}

/** Gives each module its own path. In a bundle every module would otherwise have the path of the bundle. */
function withPlace(path, code) {
  const place = `var __filename=${JSON.stringify(path)},__dirname=${JSON.stringify(dirname(path))};`;
  return code.replace(/^("use strict";)?/, (strict) => strict + place);
}

function withMeta(path, code) {
  const place = { filename: path, dirname: dirname(path), url: pathToFileURL(path).href };
  return code.replace(/\bimport\.meta\.(filename|dirname|url)\b/g, (_found, name) => JSON.stringify(place[name]));
}

function isInstalled(name, from) {
  try {
    require.resolve(name, { paths: [from] });
    return true;
  } catch {
    return false;
  }
}
