/** A request as method and path, without owner, repository, numbers, commits, branches and query. */
export function requestName(method: string, path: string): string {
  const [below = ''] = path.replace(/^\/api\/v1/, '').split('?');
  const anonymous = below
    .replace(/^\/repos\/[^/]+\/[^/]+/, '/repos/*/*')
    .replace(/\/branches\/.+$/, '/branches/*')
    .replaceAll(/\/(\d+|N|\{sha\}|[0-9a-f]{8,40})(?=\/|$)/g, '/*');
  return `${method} ${anonymous}`;
}
