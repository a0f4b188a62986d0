import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The configuration of a proxy in docs/install.md: the block after the comment that marks it. */
export function documentedBlock(proxy: 'nginx' | 'caddy'): string {
  const markdown = readFileSync(join(__dirname, '../../../docs/install.md'), 'utf8');
  const [, block] = new RegExp(`<!-- ${proxy} -->\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(markdown) ?? [];
  if (block === undefined) throw new Error(`docs/install.md has no block for ${proxy}.`);
  return block;
}

/** Every replacement must apply. Otherwise the test would no longer use the documented block. */
export function replaced(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The block does not contain: ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}
