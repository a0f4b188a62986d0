import { checkedByGitea } from '../../contract/gitea-host';
import { checkedByContract } from '../../contract/github-host';
import { checkedByGitLab } from '../../contract/gitlab-host';
import type { Exchange } from '../../support/forge/exchange';
import { type Forge, GITEA_FORGE, GITHUB_FORGE, GITLAB_FORGE } from '../../support/forges';
import type { World } from '../../support/world';

/** A code host whose requests are counted. */
export interface CountedForge extends Forge {
  /**
   * The highest number of counted requests to merge one pull request alone, with webhooks and warm caches. GitHub's
   * number allows 300 merges an hour below its rate limit. The other hosts have higher limits and no free answers. For
   * them, the number is the present cost, so that one more request is noticed. The cost of the other hosts is lower
   * than GitHub's if free answers are counted, too.
   */
  readonly mostRequests: number;
  /** Counted requests and git requests for each of eight pull requests that are merged in a batch. */
  readonly mostInBatch: { readonly requests: number; readonly git: number };
  /**
   * The requests of a poll when nothing changed since the last poll; null if recent changes make a poll more expensive.
   */
  readonly aLook: number | null;
  /** Checks every exchange against the host's API description. */
  readonly checked: () => { readonly onExchange: (exchange: Exchange) => void; readonly assertFits: () => void };
  /**
   * Makes the host answer the first `reads` reads of a pull request with unknown mergeability; null if the host never
   * answers so.
   */
  readonly answerUnknown: ((world: World, reads: number) => void) | null;
}

/** The hosts are measured one after another in this order. */
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
