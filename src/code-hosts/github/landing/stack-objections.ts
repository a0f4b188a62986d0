import {
  HostUnavailable,
  type LandRefusal,
  type LandRequest,
  type PullRequestAtHead,
  type PullRequestObservation,
} from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import type { GitHubPullRequests } from '../reading/github-pull-requests';
import { type Layer, readLayers } from '../reading/stacks';
import { objectionToOne } from './landing-objections';

interface Parts {
  readonly api: GitHubApi;
  readonly reader: GitHubPullRequests;
}

/**
 * Why one merge of the highest of these layers would be wrong. `layers`: the lowest first. GitHub also merges all
 * layers that are below the highest at that time, so `layers` must be all open layers up to it, each at its tested
 * head. Call this directly before the merge.
 */
export async function objectionToLayers(
  { api, reader }: Parts,
  request: LandRequest,
  layers: readonly PullRequestAtHead[],
): Promise<LandRefusal | null> {
  const top = layers.at(-1);
  if (top?.stack == null) return null;
  const listed = (await readLayers(api, request.repository, top.stack)) ?? [];
  const present = listed.slice(0, listed.findIndex(({ number }) => number === top.number) + 1);
  const changed = layers.find((layer) => !present.some((other) => isUnchanged(layer, other)));
  if (changed !== undefined) return whatChanged({ api, reader }, request, changed);
  const others = present.filter(({ number }) => !layers.some((layer) => layer.number === number));
  if (others.length === 0 && present.every(({ number }, index) => number === layers[index]?.number)) return null;
  const seen = await reader.read(request.repository, top.number, { ...request, landsBy: 'button' });
  if (seen === null) return { type: 'head_moved', number: top.number, head: null };
  return { type: 'pull_request_changed', seen: lacking(seen, others) };
}

function isUnchanged(layer: PullRequestAtHead, { number, head, isOpen, draft }: Layer): boolean {
  return layer.number === number && layer.head === head && isOpen && !draft;
}

async function whatChanged(parts: Parts, request: LandRequest, layer: PullRequestAtHead): Promise<LandRefusal> {
  const objection = await objectionToOne(parts, request, layer, 'button');
  if (objection !== null) return objection;
  const { host } = parts.api;
  throw new HostUnavailable(host, 'server_error', `${host} shows #${layer.number} differently from its stack.`);
}

function lacking(seen: PullRequestObservation, others: readonly Layer[]): PullRequestObservation {
  const named = others.map(({ number }) => `#${number}`).join(', ');
  const words =
    others.length === 0 ? 'a test in the order of its stack' : `a test with ${named}, below it in its stack now`;
  return { ...seen, mergeability: 'not_mergeable', unmet: [...(seen.unmet ?? []), { words }] };
}
