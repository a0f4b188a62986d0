import { type Content, html, type Html } from '../html';

/** Terms and their definitions. */
export function facts(list: readonly (readonly [string, Content])[]): Html {
  return html`<dl class="facts">
    ${list.map(
      ([term, what]) =>
        html`<dt>${term}</dt>
          <dd>${what}</dd>`,
    )}
  </dl>`;
}

/** A command for a terminal, with a copy button. */
export function command(text: string): Html {
  return html`<div class="cmd"><code>${text}</code><button type="button" data-copy>Copy</button></div>`;
}

/** `1 test`, `2 tests`, `1,000 tests`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

export function numberText(value: number): string {
  return value.toLocaleString('en-GB');
}

/** `0.18` as `18 %`. A value above zero is never shown as zero. */
export function percentText(fraction: number): string {
  if (fraction > 0 && fraction < 0.01) return '< 1 %';
  return `${Math.round(fraction * 100)} %`;
}

export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}
