import { assetPath } from '../assets';
import { attributes, type Content, html, type Html, type HtmlAttributes } from '../html';
import { describeBuild, serviceBuild } from '../../platform/service-version';
import { may, type Visit } from '../visit';
import { icon, sprite } from './icons';

interface PageLink {
  readonly text: string;
  readonly href: string;
}

interface TabLink extends PageLink {
  readonly current: boolean;
  /** The letter after `g` that opens this link; absent: none. */
  readonly key?: string;
  readonly count?: number;
}

/** The event stream for changes of this page. Absent: the page does not change while it is open. */
export interface LivePage {
  readonly href: string;
  /**
   * The version of the queues on the page, in the form of the stream. Null: unknown, so the page is requested again
   * when the stream begins.
   */
  readonly version: string | null;
  /** The pause between two updates, for pages that change often and that people only read; absent: no pause. */
  readonly restSeconds?: number;
}

export interface PageParts {
  readonly title: string;
  readonly crumbs?: readonly PageLink[];
  readonly tabs?: readonly TabLink[];
  /** The search endpoint; absent: the page has no search. */
  readonly find?: {
    readonly action: string;
    readonly hidden: Readonly<Record<string, string>>;
    readonly text: string;
    readonly value?: string;
  };
  readonly live?: LivePage;
  readonly body: Content;
}

/** The frame of every page. */
export function page(visit: Visit, parts: PageParts): Html {
  return html`<!doctype html>
    <html lang="en" data-ui="/ui" ${attributes({ 'data-theme': visit.theme })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${parts.title} · Sluice</title>
        <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetPath('sluice.css')}" />
        <script src="${assetPath('sluice.js')}" defer></script>
      </head>
      <body>
        ${sprite()}<a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <div class="top-in">${brand()} ${crumbs(parts.crumbs)} ${find(parts.find)} ${tools(visit)}</div>
          ${tabs(parts.tabs)}
        </header>
        <p class="away" role="status" data-away hidden></p>
        <button type="button" class="held" data-held hidden>This page has changed: show</button>
        <main id="main" ${liveAttributes(parts)}>${parts.body}</main>
        <footer class="foot">
          <span>Sluice ${describeBuild(serviceBuild())}</span>
          <a href="/docs">API</a> ${may(visit, 'administer') && html`<a href="/ui/webhooks">Webhooks</a>`}
          <span data-live-state></span>
        </footer>
        <div class="hide" role="status" aria-live="polite" data-announce></div>
        <div class="toast" aria-hidden="true" data-toast hidden></div>
        ${help()}
      </body>
    </html>`;
}

function liveAttributes({ live }: PageParts): HtmlAttributes {
  return attributes({ 'data-live': live?.href, 'data-version': live?.version, 'data-rest': live?.restSeconds });
}

function brand(): Html {
  return html`<a class="brand" href="/ui" data-key="o"
    ><svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2.2"
      stroke-linecap="round"
      aria-hidden="true"
    >
      <path
        d="M3 5h18M6 5v8M18 5v8M12 5v5M3 17c2 0 2-1.6 4.5-1.6S10 17 12 17s2-1.6 4.5-1.6S19 17 21 17M3 21c2 0 2-1.6 4.5-1.6S10 21 12 21s2-1.6 4.5-1.6S19 21 21 21"
      /></svg
    >Sluice</a
  >`;
}

function crumbs(links: readonly PageLink[] = []): Html {
  const items = links.map(({ text, href }) => html`<li><a class="outside" href="${href}">${text}</a></li>`);
  return html`<nav aria-label="Breadcrumb">
    <ol class="crumbs">
      ${items}
    </ol>
  </nav>`;
}

function find(question: PageParts['find']): Html | null {
  if (question === undefined) return null;
  const hidden = Object.entries(question.hidden);
  return html`<form class="find" role="search" action="${question.action}">
    ${icon('search')}<label class="hide" for="q">${question.text}</label
    >${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}<input
      id="q"
      name="q"
      type="search"
      autocomplete="off"
      placeholder="${question.text}"
      ${attributes({ value: question.value })}
      data-search
    /><kbd aria-hidden="true">/</kbd>
  </form>`;
}

function tools({ caller, personName }: Visit): Html {
  const who = caller && (personName === '' ? caller.tokenName : personName);
  const title =
    caller && `Signed in with the token ${caller.tokenName}, role ${caller.role}, of ${caller.organizationSlug}`;
  return html`<div class="tools">
    ${
      caller !== null &&
      html`<span class="soft nowrap who-am-i" title="${title ?? ''}"
          >${icon('person')} <span class="outside">${who}</span></span
        >
        <form class="inline-form" method="post" action="/ui/sign-out"><button class="bare">Sign out</button></form>`
    }<button type="button" class="bare" data-theme-toggle aria-label="Switch between light and dark">
      ${icon('moon')}</button
    ><button type="button" class="bare" data-help aria-label="Keyboard shortcuts">?</button>
  </div>`;
}

function tabs(links: readonly TabLink[] | undefined): Html | null {
  if (links === undefined) return null;
  const items = links.map(
    ({ text, href, key, current, count }) =>
      html`<a href="${href}" ${attributes({ 'data-key': key, 'aria-current': current && 'page' })}
        >${text}${count !== undefined && html`<span class="count">${count}</span>`}</a
      >`,
  );
  return html`<nav class="tabs" aria-label="This repository">${items}</nav>`;
}

function help(): Html {
  const keys: readonly (readonly [readonly string[], string])[] = [
    [['/'], 'Find a pull request by number, title or author, or a queue by name'],
    [['j', 'k'], 'Next, previous row'],
    [['Enter'], 'Open the selected row'],
    [['m'], 'Show only mine'],
    [['g', 'o'], 'All queues'],
    [['g', 'q'], 'The queue'],
    [['g', 'h'], 'History of the queue'],
    [['g', 't'], 'Tests'],
    [['g', 's'], 'Settings of the queue'],
    [['Esc'], 'Clear the search, close this list'],
  ];
  const rows = keys.map(
    ([names, what]) =>
      html`<dt>${names.map((name) => html`<kbd>${name}</kbd> `)}</dt>
        <dd>${what}</dd>`,
  );
  return html`<dialog data-help-dialog aria-labelledby="kh">
    <h2 id="kh">Keyboard</h2>
    <dl>${rows}</dl>
    <form method="dialog"><button>Close</button></form>
  </dialog>`;
}
