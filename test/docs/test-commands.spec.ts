import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS } from '../mutation/areas';
import { filesIn, readDocument, ROOT } from './documents';

interface LongRun {
  readonly REPEATED: readonly string[];
  readonly WHOLE: readonly string[];
}

interface Families {
  readonly FAMILIES: Readonly<Record<string, readonly string[]>>;
  readonly membersOf: (family: string) => readonly string[];
}

const { REPEATED, WHOLE } = jest.requireActual<LongRun>('../long.cjs');
const { FAMILIES, membersOf } = jest.requireActual<Families>('../families.cjs');
const PAGE = readDocument('test/README.md');

/** The first cell of each row of the table below a heading, without its backticks. */
function firstCells(heading: string): readonly string[] {
  const [, section = ''] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(PAGE) ?? [];
  return [...section.matchAll(/^\| `([^`|]+)`/gm)].map(([, cell]) => cell!);
}

describe('the commands in test/README.md', () => {
  const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };

  it('are exactly the commands of package.json that test or measure', () => {
    const commands = Object.keys(scripts).filter((name) => /^(test|bench)(:|$)/.test(name));
    expect(
      firstCells('Commands')
        .map((cell) => cell.replace(/^npm (run )?/, ''))
        .sort(),
    ).toEqual(commands.sort());
  });

  // The options of some scripts are read in a separate file.
  const programs = Object.entries(scripts).flatMap(([name, line]) => {
    const [, program] = /(\S+\.(?:ts|mjs|sh))$/.exec(line) ?? [];
    return /^(test|bench):/.test(name) && program !== undefined ? [[name, program] as const] : [];
  });

  it.each(programs)('have --help (%s)', (name, program) => {
    const folder = program.replace(/\.\w+$/, '').replace(/\/main$/, '');
    const files = existsSync(join(ROOT, folder)) ? filesIn(folder, '.ts') : [];
    const texts = [program, ...files].map(readDocument).filter((text) => /help\b|readCommandLine/.test(text));
    expect(texts.some((text) => text.includes(`script: '${name}'`) || text.includes(`npm run ${name}`))).toBe(true);
  });
});

describe('the budgets in test/README.md', () => {
  it('hold: `npm ci` installs at most the number of packages that the budget names', () => {
    const { packages } = JSON.parse(readDocument('node_modules/.package-lock.json')) as { packages: object };
    const [, most] = /`npm ci` installs at most (\d+) packages/.exec(PAGE) ?? [];
    expect(Object.keys(packages).length).toBeLessThanOrEqual(Number(most));
  });
});

describe('npm test and npm run test:long', () => {
  const { scripts } = JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> };

  it.each(['test', 'test:long'])(
    'accept a path after `--`, because their last option takes only one value (%s)',
    (name) => {
      expect(scripts[name]).toMatch(/--(?:ignore|select)Projects long --config jest\.config\.cjs$/);
    },
  );
});

describe('the long run', () => {
  it('has spec files that exist, each with a reason in test/README.md', () => {
    expect([...firstCells('The long run')].sort()).toEqual([...WHOLE, ...REPEATED].sort());
    expect([...WHOLE, ...REPEATED].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('does not move a spec file that judges mutants out of npm test', () => {
    const judges = AREAS.flatMap(({ specs = [] }) => specs);
    expect(judges.length).toBeGreaterThan(10);
    expect(judges.filter((path) => WHOLE.includes(path) || REPEATED.includes(path))).toEqual([]);
  });

  it('does not move every part of a repeated spec file out of npm test', () => {
    const importing = REPEATED.filter((path) => readDocument(path).includes("/support/long-run'"));
    expect(importing).toEqual(REPEATED);
  });
});

describe('the families of spec files', () => {
  it('each have a file in test/families, and no other files exist there', () => {
    const files = filesIn('test/families', '.family.ts').map((path) => path.split('/').at(-1));
    expect([...files].sort()).toEqual(
      Object.keys(FAMILIES)
        .map((name) => `${name}.family.ts`)
        .sort(),
    );
  });

  it.each(Object.keys(FAMILIES))('%s has its own name in its file, and at least one spec file', (name) => {
    expect(readDocument(`test/families/${name}.family.ts`)).toContain(`describeFamily('${name}');`);
    expect(membersOf(name).length).toBeGreaterThan(0);
  });

  it('have no spec file in common', () => {
    const members = Object.keys(FAMILIES).flatMap((name) => [...membersOf(name)]);
    expect(members.length).toBeGreaterThan(300);
    expect(new Set(members).size).toBe(members.length);
  });
});
