import { checkedByGitea } from '../../contract/gitea-host';
import { checkedByContract } from '../../contract/github-host';
import { checkedByGitLab } from '../../contract/gitlab-host';
import type { Exchange } from '../../support/forge/exchange';
import { type Forge, GITEA_FORGE, GITHUB_FORGE, GITLAB_FORGE } from '../../support/forges';
import type { World } from '../../support/world';

/** A forge whose requests are counted. */
export interface CountedForge extends Forge {
  /**
   * What merging one pull request may cost at most in requests that count, one by one, told by webhooks, once caches are warm.
   * GitHub's leaves room for 300 merges an hour below its limit. The others have no limit as low and give nothing for free: theirs
   * is what a merge costs now, so that a request more is noticed, and fewer than GitHub is asked with its free answers.
   */
  readonly mostRequests: number;
  /** For each of eight that are merged in a batch: requests that count, and those of git. */
  readonly mostInBatch: { readonly requests: number; readonly git: number };
  /** What a look costs when nothing has happened since the one before; null: it grows with what was changed of late. */
  readonly aLook: number | null;
  /** Holds every exchange to what the forge describes. */
  readonly checked: () => { readonly onExchange: (exchange: Exchange) => void; readonly assertFits: () => void };
  /** Has the forge say so often at first that it does not know yet whether a pull request can be merged; null: it never does. */
  readonly answerUnknown: ((world: World, reads: number) => void) | null;
}

/** Side by side, in this order. */
export const COUNTED_FORGES: readonly CountedForge[] = [
  {
    ...GITHUB_FORGE,
    ...{ mostRequests: 16, mostInBatch: { requests: 16, git: 10 }, aLook: 0, checked: checkedByContract },
    answerUnknown: ({ githubRepository }, reads) => githubRepository.answerUnknown(reads),
  },
  {
    ...GITEA_FORGE,
    ...{ mostRequests: 20, mostInBatch: { requests: 18, git: 8 }, aLook: 5, checked: checkedByGitea },
    answerUnknown: null,
  },
  {
    ...GITLAB_FORGE,
    ...{ mostRequests: 25, mostInBatch: { requests: 21, git: 8 }, aLook: null, checked: checkedByGitLab },
    answerUnknown: null,
  },
];
