import { ChangedProject, Compiler } from './changed-project';

const sources = new Map([
  ['src/slots.ts', 'export const SLOTS: number = 2;\n'],
  ['src/start.ts', "import { SLOTS } from './slots';\nexport const may = (used: number): boolean => used < SLOTS;\n"],
  ['src/wait.ts', 'export function wait(more: () => boolean): void {\n  while (more()) continue;\n}\n'],
]);
const loaded = <T>(file: string, changed: { file: string; text: string } | null): T =>
  new ChangedProject(new Compiler(sources), changed).load(file).exports as T;

describe('a project with one file changed', () => {
  it('is loaded with the change, whichever file imports the changed file', () => {
    type Start = { may: (used: number) => boolean };
    expect(loaded<Start>('src/start.ts', null).may(2)).toBe(false);
    const changed = { file: 'src/slots.ts', text: 'export const SLOTS = 3;' };
    expect(loaded<Start>('src/start.ts', changed).may(2)).toBe(true);
  });

  it('returns the files that a file imports, directly or indirectly', () => {
    const { files } = new ChangedProject(new Compiler(sources), null).load('src/start.ts');
    expect([...files].sort()).toEqual(['src/slots.ts', 'src/start.ts']);
  });

  it('throws in a loop without end, and not in a loop that ends', () => {
    const { wait } = loaded<{ wait: (more: () => boolean) => void }>('src/wait.ts', null);
    let left = 1_000;
    expect(() => wait(() => left-- > 0)).not.toThrow();
    expect(() => wait(() => true)).toThrow('turns');
  });

  it('refuses a change that is no valid program', () => {
    expect(() => loaded('src/start.ts', { file: 'src/slots.ts', text: 'export const SLOTS = ;' })).toThrow();
  });
});
