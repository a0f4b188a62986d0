// npm run release -- <version> [--dry-run]: makes a version of the present main. Sets the version, moves the changelog
// entries from "Unreleased" to it, packs, commits and tags. Writes the package's contents and provenance next to the
// package. Pushes, signs and publishes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const BRANCH = 'main';
const CHANGELOG = 'CHANGELOG.md';
const WRITTEN = ['package.json', 'package-lock.json', CHANGELOG];
const UNRELEASED = /^## \[Unreleased\]\n(?<entries>[^]*?)(?=^## |$(?![^]))/m;
const { name: NAME } = JSON.parse(readFileSync('package.json', 'utf8'));
/** The names of all files begin like the name of the packed package. */
const FILES = NAME.replace('@', '').replace('/', '-');
const USAGE = 'Usage: npm run release -- <version> [--dry-run], such as npm run release -- 0.2.0';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
/** A release candidate comes before its version: without a candidate number the last number is infinite. */
function numbersOf(version) {
  const [, ...numbers] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-rc\.([1-9]\d*))?$/.exec(version) ?? [];
  return numbers.length === 0 ? undefined : numbers.map((number = Infinity) => Number(number));
}

function isNewer(version, current) {
  const [numbers, others] = [numbersOf(version), numbersOf(current)];
  const first = numbers.findIndex((number, index) => number !== others[index]);
  return first >= 0 && numbers[first] > others[first];
}

/**
 * Returns the obstacles to the release as sentences with their solutions. If there is an obstacle, the command changes
 * no files.
 */
function refusals(version, current, changelog, entries) {
  const refused = [];
  // package.json may name the next version before its release.
  const isNext = version === current && !changelog.includes(`\n## [${version}]`);
  if (!isNext && !isNewer(version, current))
    refused.push(`${version} is not newer than ${current}, the version of package.json.`);
  if (git('tag', '--list', `v${version}`) !== '') refused.push(`The tag v${version} exists already.`);
  const branch = git('branch', '--show-current');
  if (branch !== BRANCH) refused.push(`This is ${branch || 'no branch'}: switch to ${BRANCH}.`);
  if (git('status', '--porcelain') !== '') refused.push('Something is not committed: commit it, or put it away.');
  if (!/^- /m.test(entries))
    refused.push(`${CHANGELOG} has no entries under "Unreleased": say what changes for users.`);
  return refused;
}

function npm(...args) {
  // Uses a shell, because npm is a script on Windows. The arguments are constants or a checked version.
  const { status, stdout, stderr } = spawnSync(['npm', ...args].join(' '), { shell: true, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args[0]} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}

/**
 * Writes a software bill of materials in CycloneDX format: the packages that the release depends on, from the lock
 * file. Returns the path of the bill. This function removes development-only packages, because `npm sbom --omit=dev`
 * would also omit packages that production and development both need.
 */
function writeBill(version) {
  const bill = JSON.parse(npm('sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'));
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const shippedOnes = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version: installed }]) => `${path.split('node_modules/').at(-1)}@${installed}`);
  const isShipped = new Set(shippedOnes);
  const components = bill.components.filter((one) => isShipped.has(`${one.name}@${one.version}`));
  const kept = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => kept.has(needed)) }));
  // npm names the component after the folder.
  const component = { ...bill.metadata.component, name: NAME };
  const shipped = { ...bill, metadata: { ...bill.metadata, component }, components, dependencies };
  const file = `${FILES}-${version}.cdx.json`;
  writeFileSync(file, `${JSON.stringify(shipped, null, 2)}\n`);
  return file;
}

/**
 * Writes an in-toto statement (SLSA 1.0): the commit of these files, and the way in which they were made. The statement
 * is unsigned. Returns the path of the statement.
 */
function writeProvenance(version, files) {
  const origin = spawnSync('git', ['remote', 'get-url', 'origin'], { encoding: 'utf8' }).stdout.trim();
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map((name) => ({ name, digest: { sha256: sha256Of(name) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:sluice:npm-run-release',
        externalParameters: { version },
        internalParameters: { node: process.version, platform: `${process.platform} ${process.arch}` },
        resolvedDependencies: [
          {
            uri: /^\w+:\/\//.test(origin) ? `git+${origin}` : 'urn:sluice',
            digest: { gitCommit: git('rev-parse', 'HEAD') },
          },
        ],
      },
      runDetails: { builder: { id: `mailto:${git('config', 'user.email')}` } },
    },
  };
  const file = `${FILES}-${version}.provenance.json`;
  writeFileSync(file, `${JSON.stringify(statement, null, 2)}\n`);
  return file;
}

function sha256Of(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Writes checksums in the format of `sha256sum --check`. Returns the path of their file. */
function writeSums(version, files) {
  const file = `${FILES}-${version}.sha256`;
  writeFileSync(file, files.map((name) => `${sha256Of(name)}  ${name}\n`).join(''));
  return file;
}

/** Returns the files of the release; the last file has the checksums of the others. */
function release(version, changelog, entries) {
  const day = new Date().toISOString().slice(0, 10);
  const message = `Release ${version}\n\n${entries}`;
  const before = git('rev-parse', 'HEAD');
  try {
    npm('version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts');
    writeFileSync(CHANGELOG, changelog.replace('## [Unreleased]\n', `$&\n## [${version}] - ${day}\n`));
    // The commit is made before the build, because the build contains the id of the commit. A failed build leaves no
    // tag behind.
    git('commit', '--quiet', '--cleanup=whitespace', '--message', message, '--', ...WRITTEN);
    const packed = npm('pack', '--silent').split('\n').at(-1);
    const bill = writeBill(version);
    const files = [packed, bill, writeProvenance(version, [packed, bill])];
    const sums = writeSums(version, files);
    git('tag', '--annotate', '--cleanup=whitespace', '--message', message, `v${version}`);
    return [...files, sums];
  } catch (error) {
    // The reset is safe, because a release begins without uncommitted changes.
    git('reset', '--quiet', '--hard', before);
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
  const refused = refusals(version, current, changelog, entries);
  if (refused.length > 0) throw new Error(`Not released:\n${refused.map((each) => `- ${each}`).join('\n')}`);
  // Without `--` before `--dry-run`, npm takes the option for itself and passes it on in this variable.
  if (values['dry-run'] || process.env.npm_config_dry_run === 'true') {
    console.log(
      `Would release ${version} after ${current}: would write ${WRITTEN.join(', ')}, pack, commit, and tag v${version}.`,
    );
    console.log(`\n${entries}`);
    return;
  }
  const files = release(version, changelog, entries);
  console.log(`Released ${version}: the tag v${version}, and\n${files.map((file) => `  ${file}`).join('\n')}`);
  console.log(
    `\nNext: git push --atomic origin ${BRANCH} v${version}, then sign ${files.at(-1)} and publish it beside the others.`,
  );
}

try {
  main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
