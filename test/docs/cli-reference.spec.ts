import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_MODULES } from '../../src/cli/commands';
import { cliReference } from './cli-reference';
import { readDocument, ROOT } from './documents';

const PAGE = 'docs/cli.md';

describe('docs/cli.md', () => {
  it('equals the help of the commands; SLUICE_UPDATE_CLI=1 writes it again', () => {
    const made = cliReference();
    if (process.env.SLUICE_UPDATE_CLI === '1') writeFileSync(join(ROOT, PAGE), made);
    expect(readDocument(PAGE)).toBe(made);
  });

  it('has every command, in the order of the help', () => {
    const names = [...readDocument(PAGE).matchAll(/^## sluice (\S+)$/gm)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(COMMAND_MODULES));
  });
});
