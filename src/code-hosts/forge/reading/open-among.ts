import type { PullRequestTraits } from '../../../domain/code-host.port';
import type { OpenPullRequests } from '../dialect-host';

interface OpenPullRequest extends PullRequestTraits {
  readonly number: number;
  readonly head: string;
}

interface PageOfOpen {
  /** The pull requests of one page. Null stands for an item that lacks a field which the queue needs. */
  readonly items: readonly (OpenPullRequest | null)[];
  readonly hasMore: boolean;
}

/** The open pull requests among `numbers`. Pages of the list are read until all of them are found. */
export async function openAmong(
  numbers: readonly number[],
  readPage: (page: number) => Promise<PageOfOpen>,
): Promise<OpenPullRequests> {
  const missing = new Set(numbers);
  const found = new Map<number, OpenPullRequest>();
  for (let page = 1; missing.size > 0; page++) {
    const { items, hasMore } = await readPage(page);
    for (const one of items) if (one !== null && missing.delete(one.number)) found.set(one.number, one);
    if (!hasMore) break;
  }
  return {
    pullRequestHeads: new Map(numbers.map((number) => [number, found.get(number)?.head ?? null])),
    pullRequestTraits: new Map([...found].map(([number, { base, draft }]) => [number, { base, draft }])),
  };
}
