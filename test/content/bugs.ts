import type { Bug } from '../simulation/days-find/bugs';

/** Former bugs in the content of merges, which `putBack` restores. Random repositories must find each bug. */
export const CONTENT_BUGS: readonly Bug[] = [
  {
    name: 'a rebase loses the changes of a merge commit (1)',
    file: 'src/code-hosts/git/chain.ts',
    edits: [['if (rebased.tree !== merged.tree)', 'if (rebased.tree === null)']],
  },
  {
    name: 'a rebase drops a change that the target once had and reverted (2)',
    file: 'src/code-hosts/git/rebase.ts',
    edits: [["    '--right-only',\n", "    '--right-only',\n    '--cherry-mark',\n"]],
  },
  {
    name: 'a merge that changes no file makes no commit (3)',
    file: 'src/code-hosts/git/chain.ts',
    edits: [
      [
        'if (merged.tree === tip.tree && (await addsNothing(clone, { tip, ground, head, method, attributes })))',
        'if (merged.tree === tip.tree)',
      ],
    ],
  },
  {
    name: 'the pull request below in a stack does not count as merged after a squash or rebase (6)',
    file: 'src/code-hosts/git/chain.ts',
    edits: [
      [
        "const whole = method === 'merge_commit' ? tip.commit : await groundOf(clone, tip, mergedBelow, attributes);",
        'const whole = tip.commit;',
      ],
    ],
  },
];
