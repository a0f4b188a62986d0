import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The links within the site to pages, files and headings that do not exist. */
export function deadLinksOf(out, base) {
  const pages = htmlBelow(out, '');
  const ids = new Map();
  const idsOf = (page) => {
    if (!ids.has(page)) ids.set(page, new Set(matches(readFileSync(join(out, page), 'utf8'), / id="([^"]+)"/g)));
    return ids.get(page);
  };
  return pages.flatMap((page) =>
    [...new Set(matches(readFileSync(join(out, page), 'utf8'), / href="([^"]*)"/g))]
      .filter((link) => !/^[a-z]+:|^\/\//i.test(link) && link !== '')
      .filter((link) => !leadsSomewhere(out, base, page, link.replaceAll('&amp;', '&'), idsOf))
      .map((link) => ({ page, link })),
  );
}

function leadsSomewhere(out, base, page, link, idsOf) {
  const [path = '', anchor] = decodeURI(link).split('#');
  const absolute = path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path);
  const file = path === '' ? page : absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute;
  const found = [file, `${file}.html`].find((one) => existsSync(join(out, one)) && statSync(join(out, one)).isFile());
  if (found === undefined) return false;
  return anchor === undefined || anchor === '' || idsOf(found).has(anchor);
}

function htmlBelow(out, folder) {
  return readdirSync(join(out, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return htmlBelow(out, path);
    return path.endsWith('.html') && path !== '404.html' ? [path] : [];
  });
}

function matches(text, pattern) {
  return [...text.matchAll(pattern)].map(([, found]) => found);
}
