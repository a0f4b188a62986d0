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
   * leaves room for 300 merges an hour below its rate limit. The other hosts have no limit as low and no free answers:
   * their number is the present cost, so that one more request is noticed. It is below GitHub's number with free
   * answers included.
   */
  readonly mostRequests: number;
  /** For each of eight pull requests merged in a batch: counted requests, and git requests. */
  readonly mostInBatch: { readonly requests: number; readonly git: number };
  /** The cost of a poll without changes since the last one; null: it grows with recent changes. */
  readonly aLook: number | null;
  /** Checks every exchange against the host's API description. */
  readonly checked: () => { readonly onExchange: (exchange: Exchange) => void; readonly assertFits: () => void };
  /** Makes the host answer so many first reads with unknown mergeability; null: it never does. */
  readonly answerUnknown: ((world: World, reads: number) => void) | null;
}

/** One after another in this order. */
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
