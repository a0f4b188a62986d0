import type { ConflictingFiles } from '../../domain/code-host.port';

/** Words for git's kinds of conflicts. A conflict between lines of one file needs no words. */
const REASONS: readonly (readonly [kind: RegExp, words: string])[] = [
  [/modify\/delete/, 'one side changes the file, the other deletes it'],
  [/rename\/delete/, 'one side renames the file, the other deletes it'],
  [/rename\/rename/, 'both sides rename the file to different names'],
  [/rename/, 'a renamed file has this path'],
  [/file\/directory/, 'a file on one side, and a folder on the other'],
  [/distinct (types|modes)/, 'a different kind of file on each side'],
  [/submodule/, 'a submodule that both sides change'],
  [/binary/, 'both sides change this file, which is not text'],
  [/add\/add/, 'both sides add this file'],
];

/**
 * Parses the conflict part of `git merge-tree -z --name-only`, split at its NULs, without the tree. First come the
 * files, then an empty field. Then come the messages, each with the number of its files, the files, its kind, and its
 * text.
 */
export function conflictIn(said: readonly string[]): ConflictingFiles {
  const end = said.indexOf('');
  const files = said.slice(0, end < 0 ? said.length : end);
  const reasons = new Map<string, string>();
  for (let at = files.length + 1; at < said.length;) {
    const count = Number(said[at]);
    // There may be thousands of messages, so the list is not copied.
    const [about, kind = '', text = ''] = [
      said.slice(at + 1, at + 1 + count),
      said[at + 1 + count],
      said[at + 2 + count],
    ];
    const words = REASONS.find(([known]) => known.test(`${kind} ${text.slice(0, text.indexOf(':'))}`))?.[1];
    for (const file of about) if (words !== undefined && kind.startsWith('CONFLICT')) reasons.set(file, words);
    at += count + 3;
    if (!(count > 0)) break;
  }
  const known = files.flatMap((file) => (reasons.has(file) ? [[file, reasons.get(file)!] as const] : []));
  return { files, ...(known.length > 0 && { reasons: Object.fromEntries(known) }) };
}
