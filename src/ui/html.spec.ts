import { attributes, type Content, type Hole, html, Html, prose } from './html';

const shown = (value: Content) => html`<p>${value}</p>`.toString();

describe('A template of a page', () => {
  it('escapes text, and keeps the markup of other templates', () => {
    expect(shown('<script>alert("1") & \'2\'</script>')).toBe(
      '<p>&lt;script&gt;alert(&quot;1&quot;) &amp; &#39;2&#39;&lt;/script&gt;</p>',
    );
    expect(shown(html`<b>${'<'}</b>`)).toBe('<p><b>&lt;</b></p>');
  });

  it('shows numbers and lists, and nothing for absent values', () => {
    expect([0, [1, '<', html`<br />`], false, null, undefined].map((one) => shown(one as Content))).toEqual([
      '<p>0</p>',
      '<p>1&lt;<br /></p>',
      ...Array<string>(3).fill('<p></p>'),
    ]);
  });

  it('escapes text in an attribute, so that the text cannot end the attribute', () => {
    expect(html`<a href="/ui?q=${'" onclick="x'}">a</a>`.toString()).toBe(
      '<a href="/ui?q=&quot; onclick=&quot;x">a</a>',
    );
  });

  it('leaves out attributes that are false or absent', () => {
    const given = { disabled: true, hidden: false, title: undefined, lang: null, 'aria-label': 'a"b' };
    expect(html`<button ${attributes(given)}>x</button>`.toString()).toBe(
      '<button disabled aria-label="a&quot;b">x</button>',
    );
  });

  it('shows names between backticks as code', () => {
    expect(prose('`unit` failed on `<main>`.').toString()).toBe(
      '<code>unit</code> failed on <code>&lt;main&gt;</code>.',
    );
  });

  it('attack 13: keeps a name with direction characters from reversing the sentence', () => {
    expect(prose('The base must be x\u202egnp, and `\u2067y` is red.').toString()).toBe(
      'The base must be x\ufffdgnp, and <code>\ufffdy</code> is red.',
    );
  });

  /** `html` is called as a function, because the formatter would correct a broken tagged template. */
  const made = (parts: readonly string[], ...values: readonly Hole[]) =>
    html(parts as unknown as TemplateStringsArray, ...values);

  it.each<[string, () => unknown]>([
    ['a tag that is not closed', () => made(['<p>'])],
    ['a tag that closes another one', () => made(['<p><b></p></b>'])],
    ['a tag that closes none', () => made(['</p>'])],
    ['a value in a script', () => made(['<script>', '</script>'], 'x')],
    ['a value in a style', () => made(['<style>', '</style>'], 'x')],
    ['text in a tag', () => made(['<p ', '></p>'], 'onclick=x')],
    ['markup in quotes', () => made(['<p title="', '"></p>'], html`<b></b>`)],
    ['an attribute without quotes', () => made(['<p title=', '></p>'], 'x')],
    ['an attribute in single quotes', () => made(["<p title='", "'></p>"], 'x')],
    ['attributes between tags', () => made(['<p>', '</p>'], attributes({ id: 'x' }))],
    ['an open quote', () => made(['<p title="x></p>'])],
    ['a comment', () => made(['<!-- ', ' -->'], 'x')],
    ['a value as the name of a tag', () => made(['<', '></p>'], 'p')],
    ['an element that closes itself and may not', () => made(['<div />'])],
    ['the name of an attribute that is none', () => attributes({ 'x onclick': 'x' })],
  ])('is refused with %s', (_what, make) => expect(make).toThrow(TypeError));

  it('accepts no markup that other code made', () => {
    expect(() => new Html('<script>', Symbol('maker'))).toThrow(TypeError);
    expect(shown({ toString: () => '<b>' } as unknown as Content)).toBe('<p>&lt;b&gt;</p>');
  });
});
