import { may } from '../visit';
import { historyPath, pathTo, queuePath, repositoryText, settingsPath, teamPagePath, testsPath } from './links';
import type { Scene } from './scene';
import { versionOfOne } from '../live/versions';
import type { LivePage, PageParts } from './shell';

/**
 * The frame of the pages about one queue: heading, tabs and search. `tab`: `queue`, `history`, or the path of an
 * extension's page.
 */
export function queueShell(
  { visit, repo, branch }: Pick<Scene, 'visit' | 'repo' | 'branch'>,
  tab: string,
  count?: number,
): Pick<PageParts, 'crumbs' | 'tabs' | 'find'> {
  const here = queuePath(repo, branch);
  return {
    crumbs: [
      { text: repo.owner, href: '/ui' },
      { text: repo.name, href: pathTo('/ui', { repo: repositoryText(repo) }) },
      { text: branch, href: here },
    ],
    tabs: [
      { text: 'Queue', href: here, key: 'q', current: tab === 'queue', count },
      { text: 'History', href: historyPath(repo, branch, {}), key: 'h', current: tab === 'history' },
      { text: 'Tests', href: testsPath(repo), key: 't', current: false },
      { text: 'Settings', href: settingsPath(repo, branch), key: 's', current: tab === 'settings' },
      ...visit.teamTabs
        .filter(({ capability }) => may(visit, capability))
        .map(({ path, tab: text }) => ({ text, href: teamPagePath(repo, branch, path), current: tab === `x/${path}` })),
    ],
    find: { action: '/ui/queue', hidden: { repo: repositoryText(repo), branch }, text: 'Find #, title or author' },
  };
}

/** The live settings of a page about a queue. `version`: the version of the queue on the page. */
export function liveWith(
  { repo, branch }: Pick<Scene, 'repo' | 'branch'>,
  version: number,
  rest: Pick<LivePage, 'restSeconds'> = {},
): Pick<PageParts, 'live'> {
  const href = pathTo('/ui/live', { repo: repositoryText(repo), branch });
  return { live: { href, version: versionOfOne({ version }), ...rest } };
}
