import { attributes, html, type Html } from '../html';
import { shortSha } from './basics';

interface TestedTree {
  readonly branch: string;
  readonly baseSha: string;
  /**
   * The pull requests between the base and the run's own, in order. `builtOn` has only the last of them, and
   * `builtOnCount` is the number of all.
   */
  readonly builtOn: readonly number[];
  readonly builtOnCount: number;
  readonly members: readonly number[];
}

const MOST_AHEAD = 4;
const MOST_OWN = 6;

/**
 * The contents of a tested tree, in order: the target, pull requests that are expected to merge first (dashed), and the
 * run's own pull requests (filled).
 */
export function treeStrip({ branch, baseSha, builtOn, builtOnCount, members }: TestedTree): Html {
  return html`<div class="tree">
    <span class="hide">Tested as: </span><span class="b tipb"><bdi>${branch}</bdi> ${shortSha(baseSha)}</span>${ahead(
      builtOn,
      builtOnCount,
    )}${own(members)}
  </div>`;
}

function ahead(numbers: readonly number[], count: number): Html[] {
  if (count <= MOST_AHEAD)
    return numbers.map((number) => pair('if', `#${number}`, 'Ahead of it: assumed to merge first'));
  const between = numbers.slice(1, -1).map((number) => `#${number}`);
  return [
    pair('if', count > numbers.length ? 'others' : `#${numbers[0]}`),
    pair('if', `${count - 2} more`, between.join(', ')),
    pair('if', `#${numbers.at(-1)}`),
  ];
}

function own(numbers: readonly number[]): Html[] {
  if (numbers.length <= MOST_OWN) return numbers.map((number) => pair('own', `#${number}`));
  const shown = numbers.slice(0, MOST_OWN - 2).map((number) => pair('own', `#${number}`));
  const rest = numbers.slice(MOST_OWN - 2).map((number) => `#${number}`);
  return [...shown, pair('own', `${rest.length} more`, rest.join(', '))];
}

function pair(kind: 'if' | 'own', text: string, title?: string): Html {
  return html`<span class="pair">+<span class="b ${kind}" ${attributes({ title })}>${text}</span></span>`;
}
