import type { RepositoryName } from '../../platform/repository-name';
import { html, type Html } from '../html';
import { icon } from './icons';

/** A path with a query string; every value is escaped. */
export function pathTo(path: string, question: Readonly<Record<string, string | number>>): string {
  const query = new URLSearchParams(
    Object.entries(question).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/** `local/acme/shop`, as the command line takes it. */
export function repositoryText({ host, owner, name }: RepositoryName): string {
  return `${host}/${owner}/${name}`;
}

export function queuePath(repo: RepositoryName, branch: string): string {
  return pathTo('/ui/queue', { repo: repositoryText(repo), branch });
}

export function pullRequestPath(repo: RepositoryName, branch: string, number: number): string {
  return pathTo('/ui/pull-request', { repo: repositoryText(repo), branch, number });
}

/** The signed statement about a merge, as a file. */
export function statementPath(repo: RepositoryName, branch: string, number: number): string {
  return pathTo('/ui/pull-request/statement', { repo: repositoryText(repo), branch, number });
}

/** `days`: the number of days; `as`: `csv` for a file. */
export function historyPath(
  repo: RepositoryName,
  branch: string,
  more: { readonly days?: number; readonly as?: 'csv' },
): string {
  return pathTo('/ui/history', { repo: repositoryText(repo), branch, ...more });
}

/** The pull requests that left a queue on a day such as `2026-11-22`. */
export function historyDayPath(repo: RepositoryName, branch: string, day: string, cursor?: string): string {
  return pathTo('/ui/history/day', { repo: repositoryText(repo), branch, day, ...(cursor && { cursor }) });
}

/** A page of an extension. */
export function teamPagePath(repo: RepositoryName, branch: string, path: string): string {
  return pathTo(`/ui/x/${path}`, { repo: repositoryText(repo), branch });
}

export function settingsPath(repo: RepositoryName, branch: string): string {
  return pathTo('/ui/settings', { repo: repositoryText(repo), branch });
}

export function testsPath(repo: RepositoryName): string {
  return pathTo('/ui/tests', { repo: repositoryText(repo) });
}

/** The page of the test, with its quarantine form open. */
export function quarantinePath(id: string): string {
  return pathTo(`/ui/tests/${id}`, { quarantine: 'always' });
}

/** Links in foreign text are limited to web addresses: a `javascript:` address would run in our page. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}

/** A link to an external address; plain text if it is not a web address. */
export function outsideLink(address: string, text: string): Html {
  if (!isWebAddress(address)) return html`<span class="outside">${text}</span>`;
  return html`<a class="outside" href="${address}" rel="noreferrer noopener">${text} ${icon('link')}</a>`;
}
