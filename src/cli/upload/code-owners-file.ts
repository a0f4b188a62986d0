import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliError } from '../cli-error';

/** The places in the order in which each host searches them; the first file counts. */
const GITHUB = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];
const GITLAB = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];

interface CodeOwnersPlace {
  /** From the command line. */
  readonly said?: string;
  readonly folder: string;
  /** The root of the checkout. */
  readonly root?: string;
  readonly host: string;
}

/** The text of the file; undefined when there is none. A file named on the command line must exist. */
export function findCodeOwners({ said, folder, root, host }: CodeOwnersPlace): string | undefined {
  if (said !== undefined) return read(resolve(folder, said)) ?? missing(said);
  const places = /gitlab/i.test(host) ? [...GITLAB, ...GITHUB] : [...GITHUB, ...GITLAB];
  for (const place of places) {
    const found = read(join(root ?? folder, place));
    if (found !== undefined) return found;
  }
  return undefined;
}

function read(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : undefined;
}

function missing(said: string): never {
  throw new CliError(`There is no file ${said}.`, {
    exit: 2,
    next: 'Name the CODEOWNERS file, or leave --codeowners out.',
  });
}
