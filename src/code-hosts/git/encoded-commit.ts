import { type CommitterSignature, gitIdentity, writeObject } from './commit-objects';
import type { GitClone } from './git-clone';
import { withoutSkipWords } from './skip-words';

interface Repick {
  /** The commit whose author, encoding and message are kept, byte by byte. */
  readonly from: string;
  readonly tree: string;
  readonly parent: string | Promise<string>;
  readonly committer: CommitterSignature;
}

/** Text that is no UTF-8 would be lost in a string of JavaScript, and a declared encoding would not fit any more. */
export async function writeEncoded(clone: GitClone, { from, tree, parent, committer }: Repick): Promise<string> {
  const [commit] = await clone.commits([{ commit: from }]);
  if (commit == null) throw new Error(`${from} is not in the clone`);
  const text = commit.content.toString('latin1');
  const split = text.indexOf('\n\n');
  const headers = (split < 0 ? text : text.slice(0, split)).split('\n');
  const kept = (name: string): string[] => headers.filter((line) => line.startsWith(`${name} `)).slice(0, 1);
  const who = Buffer.from(gitIdentity(committer)).toString('latin1');
  const lines = [`tree ${tree}`, `parent ${await parent}`, ...kept('author'), `committer ${who}`, ...kept('encoding')];
  const message = split < 0 ? '' : withoutSkipWords(text.slice(split + 2));
  return writeObject(clone, Buffer.from(`${lines.join('\n')}\n\n${message}`, 'latin1'), committer);
}
