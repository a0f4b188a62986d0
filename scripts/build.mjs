// node scripts/build.mjs [--if-changed]: runs `npm run compile`, and stores a digest of the sources in dist. With
// --if-changed it compiles only when the digest differs. It compares digests and not times, because `git checkout` of
// older files sets misleading times.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const NOTE = join('dist', '.built-from');
const BUILD_INFO = join('dist', 'build-info.json');
const INPUTS = [
  'nest-cli.json',
  'package-lock.json',
  'package.json',
  'prisma.config.ts',
  'prisma/schema.prisma',
  'scripts/build.mjs',
  'scripts/compile.mjs',
  'scripts/compiler.mjs',
  'tsconfig.build.json',
  'tsconfig.json',
];

/** The compiled files. src/generated is made from the schema, and specs are not part of dist. */
function sourceFiles(folder = 'src') {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return path === 'src/generated' ? [] : sourceFiles(path);
    return path.endsWith('.spec.ts') ? [] : [path];
  });
}

function digestOfInputs() {
  const digest = createHash('sha256');
  for (const path of [...INPUTS, ...sourceFiles()].sort()) {
    const content = existsSync(path) ? readFileSync(path) : '';
    digest.update(`${path} ${content.length}\n`).update(content);
  }
  return digest.digest('hex');
}

function git(...args) {
  const { status, stdout } = spawnSync('git', ['--no-optional-locks', ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/**
 * The commit of the sources; null: the sources are not in a git clone. A folder inside the clone of another project has
 * no `.git` of its own.
 */
function commitOfSources() {
  const commit = existsSync('.git') ? git('rev-parse', '--short=12', 'HEAD') : null;
  return commit && git('status', '--porcelain') ? `${commit}+changed` : commit;
}

/**
 * Writes the file that src/platform/service-version.ts reads. An unchanged build keeps its time, but may get a later
 * commit.
 */
function writeBuildInfo(sources, builtAt) {
  const info = { commit: commitOfSources(), sources: sources.slice(0, 12), builtAt };
  writeFileSync(BUILD_INFO, `${JSON.stringify(info, null, 2)}\n`);
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

// The digest is computed before the compiler reads the files: a file that is saved meanwhile must not count as built.
const inputs = digestOfInputs();
const isBuilt = existsSync(NOTE) && readFileSync(NOTE, 'utf8') === inputs;
if (isBuilt && process.argv.includes('--if-changed')) {
  writeBuildInfo(inputs, readJson(BUILD_INFO).builtAt);
  process.exit(0);
}

// The line goes to standard error, because a program that starts after the build may print JSON to standard output.
console.error('Building Sluice …');
const begun = performance.now();
const { status } = spawnSync('npm run --silent compile', { shell: true, stdio: ['ignore', 2, 2] });
if (status !== 0) {
  console.error('The build failed.');
  process.exit(1);
}
writeBuildInfo(inputs, new Date().toISOString());
writeFileSync(NOTE, inputs);
console.error(`Built in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
