// The configuration of the generator. This file is copied next to the staged pages.
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { base, out } = JSON.parse(read('./site.json'));

/** The index of the documents as a menu: each list item or table cell with a link to a page. */
function sidebar() {
  return read('../index.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const links = [...section.matchAll(/\[([^\]]+)\]\(\.\/([\w/-]+)\.md\)/g)];
      return {
        text: section.split('\n')[0],
        collapsed: false,
        items: links.map(([, title, page]) => ({ text: title.replaceAll('`', ''), link: `/${page}` })),
      };
    });
}

/** The anchor of a heading, as code hosts name it. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

export default {
  title: 'Sluice',
  description: 'A self-hosted merge queue: it tests pull requests together and merges them when they pass',
  lang: 'en',
  base,
  outDir: out,
  cacheDir: '../vite-cache',
  // The command checks every link and anchor of the result itself.
  ignoreDeadLinks: true,
  markdown: {
    html: false,
    anchor: { slugify: anchorOf },
    languageAlias: { caddyfile: 'nginx' },
    // Vue takes two braces for an expression.
    config: (md) => {
      const { escapeHtml } = md.utils;
      md.renderer.rules.code_inline = (tokens, at) => `<code v-pre>${escapeHtml(tokens[at].content)}</code>`;
      md.renderer.rules.text = (tokens, at) => escapeHtml(tokens[at].content).replaceAll('{{', '<span v-pre>{{</span>');
    },
  },
  // The search index is one file.
  vite: { build: { chunkSizeWarningLimit: 5_000 } },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    nav: [
      { text: 'Install', link: '/install' },
      { text: 'Reference', link: '/cli' },
    ],
    outline: [2, 3],
  },
};
