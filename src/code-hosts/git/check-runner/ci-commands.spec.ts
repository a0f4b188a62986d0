import { readCiCommands } from './ci-commands';

describe('The ci section of the configuration file', () => {
  it('maps names of statuses to commands', () => {
    const read = readCiCommands(
      'merge:\n  required_statuses: [test]\nci:\n  test: npm test\n  "lint (all)": |\n    a\n    b\n',
    );
    expect(read).toEqual({
      type: 'commands',
      commands: new Map([
        ['test', 'npm test'],
        ['lint (all)', 'a\nb\n'],
      ]),
    });
  });

  it.each([null, '', 'merge: {}', 'ci:', 'ci: {}', '- a list', '"a text"'])('contains no commands in %j', (text) => {
    expect(readCiCommands(text)).toEqual({ type: 'commands', commands: new Map() });
  });

  it.each(['ci: [a]', 'ci: text', 'ci: { test: 1 }', 'ci: { test: "" }', 'ci: { test: [a] }', 'ci: {', 'a: *b'])(
    'reports a problem in %j',
    (text) => {
      expect(readCiCommands(text)).toMatchObject({ type: 'problem', problem: expect.any(String) as string });
    },
  );

  it('attack 8: accepts neither thousands of commands, nor names that CI could not report', () => {
    const many = Array.from({ length: 101 }, (_, index) => `  t${index}: "true"`).join('\n');
    expect(readCiCommands(`ci:\n${many}`)).toEqual({
      type: 'problem',
      problem: 'ci has 101 commands; at most 100 are run.',
    });
    const problem = 'The name of a ci status must have 1 to 255 characters (line 3).';
    for (const name of ['', 'x'.repeat(256), 'x'.repeat(20_000)])
      expect(readCiCommands(`ci:\n  ? "${name}"\n  : "true"`)).toEqual({ type: 'problem', problem });
    expect(readCiCommands(`ci: { "${'x'.repeat(255)}": "true" }`)).toMatchObject({ type: 'commands' });
  });

  it('reports a problem in a file whose YAML aliases would expand to millions of values', () => {
    const line = (at: number) =>
      `a${at}: &a${at} [${Array(9)
        .fill(`*a${at - 1}`)
        .join(', ')}]`;
    const bomb = ['a0: &a0 [x]', ...Array.from({ length: 12 }, (_, index) => line(index + 1))].join('\n');
    expect(readCiCommands(bomb)).toMatchObject({ type: 'problem' });
  });
});
