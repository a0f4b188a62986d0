import { join } from 'node:path';

interface Families {
  readonly FAMILIES: Readonly<Record<string, readonly string[]>>;
  readonly membersOf: (family: string) => readonly string[];
}

const ROOT = join(__dirname, '..', '..');
const { FAMILIES, membersOf } = jest.requireActual<Families>('../families.cjs');
const choose =
  jest.requireActual<(paths: readonly string[]) => { readonly filtered: readonly string[] }>('../choose-families.cjs');

const FAMILY = 'e2e-start';
const FILE = join(ROOT, `test/families/${FAMILY}.family.ts`);
const MEMBERS = membersOf(FAMILY).map((spec) => join(ROOT, spec));
const ALONE = join(ROOT, 'test/e2e/demo.spec.ts');

describe('the choice between families and spec files', () => {
  it('runs a family in place of its spec files when all of them are requested', () => {
    expect(choose([ALONE, FILE, ...MEMBERS]).filtered).toEqual([ALONE, FILE]);
  });

  it('runs a spec file alone if its path is given', () => {
    expect(choose(MEMBERS.slice(0, 1)).filtered).toEqual(MEMBERS.slice(0, 1));
  });

  it('runs the requested spec files and not their family, if one spec file of the family is not requested', () => {
    expect(choose([FILE, ...MEMBERS.slice(1)]).filtered).toEqual(MEMBERS.slice(1));
  });

  it('runs a family if the path of the family is given', () => {
    expect(choose([FILE]).filtered).toEqual([FILE]);
  });

  it('loses no requested spec file: each runs alone or in its family', () => {
    const families = Object.keys(FAMILIES);
    const files = families.map((family) => join(ROOT, `test/families/${family}.family.ts`));
    const specs = families.flatMap((family) => membersOf(family).map((spec) => join(ROOT, spec)));
    expect(choose([...files, ...specs]).filtered).toEqual(files);
  });
});
