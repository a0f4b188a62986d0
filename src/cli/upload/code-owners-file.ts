import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CliError } from '../cli-error';

/** In the order in which the two look; each takes the first. */
const GITHUB = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'];
const GITLAB = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'];

export interface CodeOwnersPlace {
  /** As said on the command line. */
  readonly said?: string;
  readonly folder: string;
  /** Of the checkout. */
  readonly root?: string;
  readonly host: string;
}

/** Its text. Undefined where there is none; what was named must be there. */
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
