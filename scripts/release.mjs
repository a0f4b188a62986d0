// npm run release -- <version> [--dry-run]: makes a version of what is on main. Sets the number, moves the entries of the
// changelog from "Unreleased" to it, packs, commits and tags. It pushes and publishes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const BRANCH = 'main';
const CHANGELOG = 'CHANGELOG.md';
const WRITTEN = ['package.json', 'package-lock.json', CHANGELOG];
const UNRELEASED = /^## \[Unreleased\]\n(?<entries>[^]*?)(?=^## |$(?![^]))/m;
const USAGE = 'Usage: npm run release -- <version> [--dry-run], such as npm run release -- 0.2.0';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const numbersOf = (version) => /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version)?.slice(1).map(Number);

function isNewer(version, current) {
  const difference = numbersOf(version).map((number, index) => number - numbersOf(current)[index]);
  return (difference.find((part) => part !== 0) ?? 0) > 0;
}

/** Sentences, each with the way out. Nothing was changed when there is one. */
function refusals(version, current, entries) {
  const refused = [];
  if (!isNewer(version, current)) refused.push(`${version} is not newer than ${current}, the version of package.json.`);
  if (git('tag', '--list', `v${version}`) !== '') refused.push(`The tag v${version} exists already.`);
  const branch = git('branch', '--show-current');
  if (branch !== BRANCH) refused.push(`This is ${branch || 'no branch'}: switch to ${BRANCH}.`);
  if (git('status', '--porcelain') !== '') refused.push('Something is not committed: commit it, or put it away.');
  if (!/^- /m.test(entries))
    refused.push(`${CHANGELOG} has no entries under "Unreleased": say what changes for users.`);
  return refused;
}

function npm(...args) {
  // A shell, because on Windows npm is no program but a script. The arguments are ours, or a checked version.
  const { status, stdout, stderr } = spawnSync(['npm', ...args].join(' '), { shell: true, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args[0]} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}

function release(version, changelog, entries) {
  const day = new Date().toISOString().slice(0, 10);
  const message = `Release ${version}\n\n${entries}`;
  try {
    npm('version', version, '--no-git-tag-version', '--ignore-scripts');
    writeFileSync(CHANGELOG, changelog.replace('## [Unreleased]\n', `$&\n## [${version}] - ${day}\n`));
    // Packed before it is committed: a build that fails leaves no tag behind.
    const packed = npm('pack', '--silent').split('\n').at(-1);
    git('commit', '--quiet', '--cleanup=whitespace', '--message', message, '--', ...WRITTEN);
    git('tag', '--annotate', '--cleanup=whitespace', '--message', message, `v${version}`);
    return packed;
  } catch (error) {
    git('checkout', '--quiet', 'HEAD', '--', ...WRITTEN);
    throw error;
  }
}

function main() {
  const { values, positionals } = parseArgs({ options: { 'dry-run': { type: 'boolean' } }, allowPositionals: true });
  const [version = ''] = positionals;
  if (positionals.length !== 1 || numbersOf(version) === undefined) throw new Error(USAGE);
  const { version: current } = JSON.parse(readFileSync('package.json', 'utf8'));
  const changelog = readFileSync(CHANGELOG, 'utf8');
  const entries = (UNRELEASED.exec(changelog)?.groups.entries ?? '').trim();
  const refused = refusals(version, current, entries);
  if (refused.length > 0) throw new Error(`Not released:\n${refused.map((each) => `- ${each}`).join('\n')}`);
  // Without the `--` before it, npm takes the option for its own, and hands it on like this.
  if (values['dry-run'] || process.env.npm_config_dry_run === 'true') {
    console.log(
      `Would release ${version} after ${current}: would write ${WRITTEN.join(', ')}, pack, commit, and tag v${version}.`,
    );
    console.log(`\n${entries}`);
    return;
  }
  const packed = release(version, changelog, entries);
  console.log(`Released ${version}: ${packed}, and the tag v${version}.`);
  console.log(`\nNext: git push --atomic origin ${BRANCH} v${version}`);
}

try {
  main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
