import { readDocument } from '../documents';

/** A step of a walk in "Your first change in ten minutes". */
export type Block =
  | { readonly kind: 'file'; readonly name: string; readonly path: string; readonly text: string }
  | { readonly kind: 'diff'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly text: string };

export interface Walk {
  readonly changes: readonly Block[];
  /** The last block of the walk, a command that runs its tests. */
  readonly test: string;
}

const FENCE = /^```/gm;
const BLOCK = /(?:New file `([^`]+)`:\n\n)?```(ts|diff|sh)\n([\s\S]*?)^```$/gm;

/**
 * The walk with this title. Throws when one of its blocks has an unknown notation, because no reader would know what to
 * do with the block.
 */
export function walkNamed(title: string, page = readDocument('CONTRIBUTING.md')): Walk {
  const chapter = /^## Your first change in ten minutes\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
  const section = chapter.split(/^### /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
  const blocks = [...section.matchAll(BLOCK)].map(blockOf);
  if (section.match(FENCE)?.length !== 2 * blocks.length) throw new Error(`${title}: a block has no known notation.`);
  const test = blocks.at(-1);
  if (test?.kind !== 'command') throw new Error(`${title}: the last block is not a command.`);
  return { changes: blocks.slice(0, -1), test: test.text };
}

function blockOf([, path, language, text = '']: RegExpMatchArray): Block {
  if (language === 'diff') return { kind: 'diff', name: `the diff of ${changedFiles(text).join(', ')}`, text };
  if (language === 'sh') return { kind: 'command', name: `the command ${text.trim()}`, text };
  if (path === undefined) throw new Error(`A block of TypeScript has no path:\n${text}`);
  return { kind: 'file', name: `the new file ${path}`, path, text };
}

function changedFiles(diff: string): string[] {
  return [...diff.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, path]) => path ?? '');
}
