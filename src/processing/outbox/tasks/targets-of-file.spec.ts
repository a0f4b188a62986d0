import * as fc from 'fast-check';
import { parseYaml } from '../../../platform/yaml';
import { type FileTargets, impactOf, readTargets } from './targets-of-file';

const FILE = '.sluice/sluice.yaml';

function targetsIn(section: unknown): FileTargets {
  const read = readTargets(section, FILE);
  if (read.type === 'problem' || read.targets === null) throw new Error(JSON.stringify(read));
  return read.targets;
}

async function impact(section: unknown, ...paths: readonly string[]): Promise<readonly string[] | string> {
  const found = await impactOf(targetsIn(section), paths);
  if (found.type === 'too_costly') return found.type;
  return found.impacted.all ? 'ALL' : found.impacted.names;
}

describe('Targets of the configuration file', () => {
  const SHOP = { web: ['web/**', 'shared/'], api: 'api/*', docs: '*.md', all: 'package.json' };

  it.each([
    [['web/page.ts'], ['web']],
    [
      ['web/page.ts', 'api/deep/in/it.ts'],
      ['api', 'web'],
    ],
    [['shared/a/b.ts'], ['web']],
    [['api/README.md'], ['api', 'docs']],
    [['README.md'], ['docs']],
    [['package.json', 'web/page.ts'], 'ALL'],
    [['Makefile'], 'ALL'],
    [['web/page.ts', 'Makefile'], 'ALL'],
    [['web'], 'ALL'],
    [[], []],
  ])('are found for the paths %j: %j', async (paths, targets) => {
    expect(await impact(SHOP, ...paths)).toEqual(targets);
  });

  it.each([
    ['**/package.json', ['package.json', 'a/package.json', 'a/b/package.json'], ['xpackage.json']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab']],
    ['/web/', ['web/a'], ['web', 'x/web/a']],
    ['./web/?', ['web/a', 'web/😀'], ['web/ab', 'web/']],
    ['[id]/{a,b}', ['[id]/{a,b}'], ['i/a']],
    ['**', ['a', 'a/b', '.a'], []],
    ['**/', ['a/b', 'a'], []],
    ['web/***/x', ['web//x', 'web/a/x'], ['web/x']],
  ])('with the glob %s include %j, and not %j', async (glob, files, others) => {
    for (const file of files) expect([file, await impact({ t: glob }, file)]).toEqual([file, ['t']]);
    for (const file of others) expect([file, await impact({ t: glob }, file)]).toEqual([file, 'ALL']);
  });

  it('are absent if the file has no targets section, or an empty section', () => {
    for (const section of [undefined, null, {}])
      expect(readTargets(section, FILE)).toEqual({ type: 'read', targets: null });
  });

  it('have an equal targets key exactly if their meaning is equal', () => {
    expect(targetsIn({ a: 'x' }).key).toBe(targetsIn({ a: ['x'] }).key);
    expect(targetsIn({ a: 'x' }).key).not.toBe(targetsIn({ a: 'y' }).key);
    expect(targetsIn({ a: 'x' }).key).not.toBe(targetsIn({ b: 'x' }).key);
  });

  it.each([
    ['a list', ['web'], 'targets in .sluice/sluice.yaml must map names of targets to globs'],
    ['text', 'web', 'targets in .sluice/sluice.yaml must map names of targets to globs'],
    ['no glob', { web: [] }, 'targets.web in .sluice/sluice.yaml must be a glob or a list of globs'],
    ['null', { web: null }, 'targets.web in .sluice/sluice.yaml must be a glob or a list of globs'],
    ['a number', { web: ['a', 7] }, 'targets.web in .sluice/sluice.yaml must be a glob or a list of globs'],
    ['a blank glob', { web: ' ' }, 'targets.web in .sluice/sluice.yaml must be a glob or a list of globs'],
    [
      'no name',
      { '': 'a' },
      'targets. in .sluice/sluice.yaml is no name of a target: it must have 1 to 1000 characters',
    ],
    [
      'an exception',
      { web: ['web/*', '!web/x'] },
      'targets.web in .sluice/sluice.yaml must not exclude files (!web/x): name the files that belong to the target',
    ],
  ])('are refused with a reason if the error is in %s', (_what, section, problem) => {
    expect(readTargets(section, FILE)).toMatchObject({ type: 'problem', problem });
  });

  it.each([
    ['501 targets', Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`t${i}`, 'a'])), /has 501 targets/],
    ['2,001 globs', { a: Array.from({ length: 2_001 }, (_, i) => `${i}`) }, /more than 2000 globs/],
    ['**/ that doubles the globs', { a: Array.from({ length: 300 }, (_, i) => `**/${i}/**/x/**/y`) }, /more than 2000/],
    ['many **/ in one glob', { a: '**/'.repeat(4) }, /more than 3 times \*\*\//],
    ['a glob of 1,001 characters', { a: 'x'.repeat(1_001) }, /more than 1000 characters/],
    ['a name of 1,001 characters', { ['x'.repeat(1_001)]: 'a' }, /^targets\.x{80}… in/],
    ['a name that the database refuses', { 'a\u0000': 'a' }, /no name of a target/],
  ])('attack 11: %s are refused', (_what, section, words) => {
    expect(readTargets(section, FILE)).toMatchObject({
      type: 'problem',
      problem: expect.stringMatching(words) as string,
    });
  });

  it('attack 11: slow globs stop after a limited effort, and the pull request then impacts everything', async () => {
    const globs = Array.from({ length: 200 }, (_, i) => `*a${'?'.repeat(200 + i)}b`);
    const path = (n: number) => Array.from({ length: 1_000 }, (_, i) => ((i * n) % 7 < 3 ? 'a' : 'c')).join('');
    const paths = Array.from({ length: 2_000 }, (_, n) => `b${path(n)}${n}`);
    expect(await impact({ other: 'b*', slow: globs }, ...paths)).toBe('too_costly');
  });

  it('are compared with 10,000 paths in one pass, also from a file of 64 KiB', async () => {
    const globs = Array.from({ length: 2_000 }, (_, i) => `services/team-${i % 300}/package-${i}/*`);
    const paths = Array.from({ length: 10_000 }, (_, i) => `services/team-${i % 300}/package-${i % 2_000}/src/${i}.ts`);
    expect(await impact({ all: 'none', services: globs.slice(0, 1_999) }, paths[0]!)).toEqual(['services']);
    const found = await impactOf(targetsIn({ services: globs }), paths);
    expect(found).toMatchObject({ type: 'told' });
  });

  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('ALL', '*', '**/', 'a/**/b', '!a', '', '__proto__', '[', '\u0000', '\ud800', '/', './'),
  );
  const value = fc.oneof(text, fc.array(fc.oneof(text, fc.integer(), fc.constant(null))), fc.anything());

  /** The result in a few words, in which every wrong result can be recognised. */
  async function outcome(section: unknown, paths: readonly string[]): Promise<string> {
    const read = readTargets(section, FILE);
    if (read.type === 'problem')
      return /^targets.* in \.sluice\/sluice\.yaml .+/s.test(read.problem) ? 'words' : 'riddle';
    if (read.targets === null) return 'none';
    const found = await impactOf(read.targets, paths);
    if (found.type === 'too_costly') return 'all';
    return found.impacted.all || found.impacted.names.length > 0 ? 'targets' : 'nothing';
  }

  it('attack 11: any value is read, or refused with a reason, and a pull request impacts something', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.dictionary(text, value), value),
        fc.array(text, { minLength: 1, maxLength: 5 }),
        async (section, paths) => expect(['words', 'none', 'targets', 'all']).toContain(await outcome(section, paths)),
      ),
      { numRuns: 500 },
    );
  });

  it('attack 11: any YAML gives targets, or a reason with a line', () => {
    const line = fc.constantFrom(
      ...['targets:', '  web: web/**', '  web: [a, b]', '  ALL: [', '  - x', '  &a b: *a', '  <<: *a', '\t', '---'],
      ...[
        '  a: !!binary aGk=',
        '  b: |',
        '    x',
        '  c: {d: e}',
        "  'x",
        '  ? a',
        '  : b',
        '  12: 7',
        '  null: ~',
        '%YAML 9',
      ],
    );
    const lineOfProblem = (yaml: string): number => {
      const parsed = parseYaml(yaml);
      if (parsed.type === 'problem') return 1;
      const root = parsed.value as { readonly targets?: unknown } | null;
      const read = readTargets(typeof root === 'object' ? root?.targets : null, FILE);
      return read.type === 'problem' ? parsed.lineOf(...read.at) : 1;
    };
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const found = lineOfProblem(lines.join('\n'));
        expect(found >= 1 && found <= Math.max(1, lines.length)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
