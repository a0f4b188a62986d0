import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The options of Node that a version is deployed with: those of its `npm start`. `tree`: the folder of its sources. */
export function startOptions(tree: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}
