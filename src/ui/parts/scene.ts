import type { PicturedPullRequest } from '../../modules/views/pictured-pull-request.dto';
import type { RepositoryName } from '../../platform/repository-name';
import { attributes, html, type Html, type HtmlAttributes } from '../html';
import { isMine, type Visit } from '../visit';
import { pullRequestPath } from './links';

/** The data that every drawing of a queue needs. */
export interface Scene {
  readonly visit: Visit;
  readonly repo: RepositoryName;
  readonly branch: string;
  readonly now: Date;
  readonly named: ReadonlyMap<number, PicturedPullRequest>;
}

export function sceneOf(
  visit: Visit,
  answer: { readonly pullRequests: readonly PicturedPullRequest[] },
  place: { readonly repo: RepositoryName; readonly branch: string; readonly now: Date },
): Scene {
  return { visit, ...place, named: new Map(answer.pullRequests.map((one) => [one.prNumber, one])) };
}

export function titleIn({ named }: Scene, number: number): string {
  return named.get(number)?.prTitle ?? '';
}

export function authorIn({ named }: Scene, number: number): string {
  return named.get(number)?.prAuthor ?? '';
}

export function isMineIn({ visit, named }: Scene, number: number): boolean {
  const author = named.get(number)?.prAuthor;
  return author !== undefined && isMine(visit, author);
}

export function prLink({ repo, branch }: Scene, number: number): Html {
  return html`<a class="prn" href="${pullRequestPath(repo, branch, number)}">#${number}</a>`;
}

export function mineTag(scene: Scene, number: number): Html | null {
  return isMineIn(scene, number) ? html`<span class="mine-tag">yours</span>` : null;
}

/** The priority as a label. Medium, the default, is not shown. */
export function priorityPill({ named }: Scene, number: number): Html | null {
  const { priorityName: name = null, priorityValue: value = null, dryRun = false } = named.get(number) ?? {};
  if (dryRun) return html`<span class="pill pri-low">dry run</span>`;
  if (name === null || name === 'medium') return null;
  const known = name === 'urgent' || name === 'high' || name === 'low';
  return html`<span class="pill pri-${known ? name : 'low'}">${known ? name : `priority ${value ?? ''}`}</span>`;
}

/**
 * The attributes for the search of the page: the text in which it searches, and the sentence that it shows for a match.
 */
export function findable(scene: Scene, number: number, answer: string): HtmlAttributes {
  return attributes({
    class: isMineIn(scene, number) ? 'is-mine' : undefined,
    'data-row': true,
    tabindex: '-1',
    'data-number': number,
    'data-find': `#${number} ${titleIn(scene, number)} ${authorIn(scene, number)}`,
    'data-answer': answer,
  });
}
