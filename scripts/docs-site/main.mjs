// npm run docs:site: builds a static site of the documents. First installs the generator of the site into a cache
// folder.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deadLinksOf } from './dead-links.mjs';
import { stagePages } from './staged-pages.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(HERE, '../..');
const HELP = `npm run docs:site -- [options]: builds a static site of README.md and docs/, with search.

  --out DIR    where the site is written: a new or empty folder, or an earlier site (default: site)
  --base PATH  the path of the site on its server, such as /sluice/ (default: /)
  --cache DIR  where the generator is installed once (default: node_modules/.cache/docs-site)
  --help       this text

The first run needs the npm registry. Ends with 1 if the build fails or a link leads nowhere.`;

/** A file that the generator writes next to the pages. A folder with this file may be replaced. */
const MARK_OF_A_SITE = 'hashmap.json';
const text = { type: 'string' };
const { values: options } = parseArgs({
  options: {
    out: { ...text, default: 'site' },
    base: { ...text, default: '/' },
    cache: { ...text, default: join(ROOT, 'node_modules/.cache/docs-site') },
    help: { type: 'boolean' },
  },
});

if (options.help) console.log(HELP);
else process.exitCode = build(resolve(options.out), options.base, resolve(options.cache));

/** The exit code. */
function build(out, base, cache) {
  if (!/^\/(?:[\w.-]+\/)*$/.test(base)) {
    console.error(`--base ${base} must begin and end with a slash.`);
    return 2;
  }
  if (!mayBeReplaced(out)) {
    console.error(`${out} has other files, which the build would delete. Name a new folder with --out.`);
    return 2;
  }
  const generator = installed(cache);
  if (generator === undefined) return 1;
  // Each build has its own folder, because two builds may run at once.
  const stage = mkdtempSync(join(generator, 'stage-'));
  try {
    return buildIn(stage, generator, out, base);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Whether the output folder may be replaced: the generator empties it. */
function mayBeReplaced(out) {
  return !existsSync(out) || readdirSync(out).length === 0 || existsSync(join(out, MARK_OF_A_SITE));
}

/** The exit code. */
function buildIn(stage, generator, out, base) {
  const pages = stagePages(ROOT, stage, base);
  mkdirSync(join(stage, '.vitepress'), { recursive: true });
  for (const name of ['config.mjs', 'theme'])
    cpSync(join(HERE, name), join(stage, '.vitepress', name), { recursive: true });
  writeFileSync(join(stage, '.vitepress/site.json'), JSON.stringify({ base, out }));
  const program = join(generator, 'node_modules/vitepress/bin/vitepress.js');
  const built = spawnSync(process.execPath, [program, 'build', stage], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (built.status !== 0) {
    console.error('The site could not be built.');
    return 1;
  }
  const dead = deadLinksOf(out, base);
  for (const { page, link } of dead) console.error(`${page}: the link ${link} leads nowhere.`);
  console.log(`${pages} pages in ${out}, ${dead.length} dead links.`);
  return dead.length === 0 ? 0 : 1;
}

/** The folder of the generator that the lock file names. Undefined: npm failed, and has printed the reason. */
function installed(cache) {
  const lock = readFileSync(join(HERE, 'package-lock.json'));
  const folder = join(cache, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // The folder is renamed when it is complete, so that a second command never finds an incomplete folder.
  const begun = mkdtempSync(join(cache, 'new-'));
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(HERE, name), join(begun, name));
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: begun,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    rmSync(begun, { recursive: true, force: true });
    console.error(`The generator could not be installed into ${cache}.`);
    return undefined;
  }
  if (existsSync(folder)) rmSync(begun, { recursive: true, force: true });
  else renameSync(begun, folder);
  return folder;
}
