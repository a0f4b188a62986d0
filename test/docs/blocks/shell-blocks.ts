import { filesIn, readDocument } from '../documents';

export interface ShellBlock {
  readonly line: number;
  readonly text: string;
  /** clone: a clone of Sluice. checkout: the checkout of a CI job. nowhere: the block is not run. */
  readonly runsIn: 'clone' | 'checkout' | 'nowhere';
}

/** README.md and the guides. The specs in `first-change` follow the blocks of CONTRIBUTING.md. */
export const GUIDES: readonly string[] = [
  'README.md',
  ...filesIn('docs', '.md').filter((path) => !/^docs\/adr\//.test(path)),
];

const BLOCK = /((?:^ *<!-- .* -->\n\n)*)^( *)```(?:sh|bash|shell|console)\n([\s\S]*?)^\2```$/gm;

export function shellBlocksOf(document: string, text = readDocument(document)): readonly ShellBlock[] {
  return [...text.matchAll(BLOCK)].map(({ index, 1: comments = '', 2: indent = '', 3: block = '' }) => ({
    line: text.slice(0, index + comments.length).split('\n').length,
    text: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    runsIn: placeIn(comments, document),
  }));
}

function placeIn(comments: string, document: string): ShellBlock['runsIn'] {
  if (/<!-- not run: ?-->/.test(comments)) throw new Error(`${document}: a block is not run, without a reason.`);
  if (comments.includes('<!-- not run: ')) return 'nowhere';
  return comments.includes('<!-- in CI -->') ? 'checkout' : 'clone';
}

/**
 * Paths in the block that lie outside its start folder. Values of variables may be such paths, and `/path/to` is a
 * placeholder.
 */
export function outsidePathsIn({ text }: ShellBlock): readonly string[] {
  const outside = /(?<=^|[\s>('"]|[a-z]=)(?:~|\.\.|\/(?!dev\/|path\/to\/)\w+)(?=\/|[\s'"]|$)[\w./-]*/gm;
  return [...text.matchAll(outside)].map(([path]) => path);
}
