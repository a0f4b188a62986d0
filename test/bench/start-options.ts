import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Node options in the `npm start` of a version. `tree`: the folder of its sources. */
export function startOptions(tree: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}
