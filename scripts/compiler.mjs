// Compiles src into dist with swc, file by file, without type checks. The options are the same as in jest.config.cjs.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { globSync } from 'tinyglobby';

const OUTPUT = 'dist';
// nest-cli.json is also the file that the Nest CLI would read.
const { sourceRoot, compilerOptions } = JSON.parse(readFileSync('nest-cli.json', 'utf8'));
export const SOURCES = sourceRoot;

export const OPTIONS = {
  swcrc: false,
  sourceMaps: true,
  // Source maps omit the sources: stack traces only need the names and lines of the sources.
  inlineSourcesContent: false,
  // With the annotation, ES modules can import the exports by name.
  module: { type: 'commonjs', exportInteropAnnotation: true },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};

const filesOf = (patterns) => globSync(patterns, { cwd: SOURCES, onlyFiles: true });
const programs = () => filesOf(['**/*.ts', '!**/*.spec.ts', '!**/*.d.ts']);
const assets = () => filesOf(compilerOptions.assets);

/** Makes dist again from every file of src. Returns the number of programs. */
export async function compileAll() {
  rmSync(OUTPUT, { recursive: true, force: true });
  const compiled = programs();
  await Promise.all(compiled.map(compileProgram));
  for (const file of assets()) copyAsset(file);
  return compiled.length;
}

/**
 * Updates dist for the given files of src. Returns the given files that dist contains, or contained before they were
 * deleted. Specs are not among them.
 */
export async function compileChanged(files) {
  const [isProgram, isAsset] = [new Set(programs()), new Set(assets())];
  const isDeleted = (file) => !existsSync(join(SOURCES, file)) && existsSync(outputOf(file));
  const concerned = files.filter((file) => isProgram.has(file) || isAsset.has(file) || isDeleted(file));
  for (const file of concerned) {
    if (isProgram.has(file)) await compileProgram(file);
    else if (isAsset.has(file)) copyAsset(file);
    else rmSync(outputOf(file), { recursive: true });
  }
  return concerned;
}

async function compileProgram(file) {
  const output = outputOf(file);
  const source = join(SOURCES, file);
  const { code, map } = await transformFile(source, {
    ...OPTIONS,
    sourceFileName: relative(dirname(output), source),
  });
  mkdirSync(dirname(output), { recursive: true });
  // A program with #! at its beginning is a command.
  const text = `${code}//# sourceMappingURL=${basename(output)}.map\n`;
  writeFileSync(output, text, { mode: code.startsWith('#!') ? 0o755 : 0o644 });
  writeFileSync(`${output}.map`, map);
}

function copyAsset(file) {
  const output = join(OUTPUT, file);
  mkdirSync(dirname(output), { recursive: true });
  copyFileSync(join(SOURCES, file), output);
}

function outputOf(file) {
  return join(OUTPUT, file.replace(/\.ts$/, '.js'));
}
