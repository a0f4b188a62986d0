import { attributes, html } from './html';
import { withPublicPath } from './public-links';

const below = (page: { toString(): string }) => withPublicPath(page.toString(), '/merge-queue');

describe('A page below a path of a proxy', () => {
  it.each([
    [html`<a href="/ui/queue?repo=a%2Fb">x</a>`, '<a href="/merge-queue/ui/queue?repo=a%2Fb">x</a>'],
    [html`<a class="b" href="${'/docs'}">x</a>`, '<a class="b" href="/merge-queue/docs">x</a>'],
    [html`<main ${attributes({ 'data-live': '/ui/live' })}></main>`, '<main data-live="/merge-queue/ui/live"></main>'],
    [html`<button formaction="/ui/a">x</button>`, '<button formaction="/merge-queue/ui/a">x</button>'],
    [html`<form action="/ui/a"></form>`, '<form action="/merge-queue/ui/a"></form>'],
  ])('has the path in each URL of the service: %s', (page, expected) => expect(below(page)).toBe(expected));

  it.each([
    html`<a href="https://ci.example/ui/1">x</a>`,
    html`<a href="#main">x</a>`,
    html`<a href="//elsewhere.example/ui">x</a>`,
    html`<p title="/ui/queue">/ui/queue</p>`,
  ])('has the path nowhere else: %s', (page) => expect(below(page)).toBe(page.toString()));

  it('attack: leaves foreign text unchanged', () => {
    const title = '" href="/ui/queue" x="';
    expect(below(html`<p title="${title}">${title}</p>`)).toBe(html`<p title="${title}">${title}</p>`.toString());
  });

  it('is unchanged if the proxy has no path', () => {
    const page = html`<a href="/ui">x</a>`.toString();
    expect(withPublicPath(page, '')).toBe(page);
  });
});
