import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * Writes the pages of the site: the documents, and every document to which a page links. `base`: the path of the site.
 * Returns the number of pages.
 */
export function stagePages(root, stage, base) {
  const waiting = ['README.md', ...documentsBelow(root, 'docs')];
  const staged = new Set();
  while (waiting.length > 0) {
    const source = waiting.pop();
    if (staged.has(source)) continue;
    staged.add(source);
    waiting.push(...stagePage({ root, stage, base }, source));
  }
  return staged.size;
}

function documentsBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return documentsBelow(root, path);
    return path.endsWith('.md') ? [path] : [];
  });
}

/** Writes one page, copies the pictures and files to which it links, and returns the pages to which it links. */
function stagePage({ root, stage, base }, source) {
  const linked = [];
  const here = pageOf(source);
  const toTarget = (all, mark, title, target) => {
    const [path, anchor] = target.split('#');
    if (/^[a-z]+:/i.test(target) || path === '') return all;
    const linkedPath = posix.join(posix.dirname(source), path);
    const page = pageAt(root, linkedPath);
    if (page !== undefined) {
      linked.push(page);
      return `${mark}[${title}](${relative(here, pageOf(page))}${anchor === undefined ? '' : `#${anchor}`})`;
    }
    return mark === '!'
      ? picture(root, stage, here, linkedPath, title)
      : file({ root, stage, base }, linkedPath, title);
  };
  const text = sourceOf(root, source)
    .split(/(^```[^]*?^```$)/m)
    .map((part) =>
      part.startsWith('```') ? part : part.replace(/(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, toTarget),
    )
    .join('');
  write(join(stage, here), text);
  return linked;
}

/** The text of a document without comments, because the generator does not parse HTML and would show them. */
function sourceOf(root, source) {
  const path = join(root, source);
  if (!source.endsWith('/')) return readFileSync(path, 'utf8').replace(/^<!--[^]*?-->\n\n?/gm, '');
  const names = readdirSync(path, { withFileTypes: true }).filter(
    ({ name }) => !['node_modules', 'dist'].includes(name),
  );
  return `# ${source}\n\n${names.map((one) => `- [${one.name}](${one.name})`).join('\n')}\n`;
}

/** The document or folder behind a link. Undefined: the link leads to a file that is no document. */
function pageAt(root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return undefined;
  if (!statSync(full).isDirectory()) return path.endsWith('.md') ? path : undefined;
  const folder = path.replace(/\/*$/, '/');
  return existsSync(join(full, 'README.md')) ? `${folder}README.md` : folder;
}

/**
 * The path of a page in the site. Documents are at the root, and other files of the repository in a separate folder.
 */
function pageOf(source) {
  const inSite = source.startsWith('docs/') ? source.slice('docs/'.length) : `repository/${source}`;
  return source.endsWith('/') ? `${inSite}index.md` : inSite.replace(/(^|\/)README\.md$/, '$1index.md');
}

function picture(root, stage, here, path, title) {
  cpSync(join(root, path), join(stage, 'files', path), { recursive: true });
  return `![${title}](${relative(here, `files/${path}`)})`;
}

/** A file of the repository becomes a page with its content. */
function file({ root, stage, base }, path, title) {
  const full = join(root, path);
  if (!existsSync(full)) return title;
  write(join(stage, 'public/files', `${path}.txt`), readFileSync(full, 'utf8'));
  return `[${title}](${base}files/${path}.txt){target="_self"}`;
}

function relative(from, to) {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
