import { type Content, html, type Html } from '../html';
import { dayOfMonth } from './times';

/** The view box is 600 by 204. The plot area reaches from 40 to 596 and from 20 to 180. */
const LEFT = 40;
const WIDTH = 556;
const BOTTOM = 180;
const HEIGHT = 160;
const BAR = 0.7;
/** The maximum width of a bar, so that three days of a new queue do not fill the whole chart. */
const WIDEST_BAR = 48;
const MOST_LABELS = 5;

/** One part of a day's column: the name of its colour in the style sheet, and its amount. */
export interface Part {
  readonly tone: 'm' | 'f' | 'c' | 'w';
  readonly value: number;
}

export interface Column {
  /** `2026-11-22`. */
  readonly day: string;
  readonly parts: readonly Part[];
  /** The text for screen readers. */
  readonly text: string;
  /** The link target; null: no link. */
  readonly href: string | null;
}

/** One column per day, with stacked parts. */
export function columnChart(label: string, columns: readonly Column[]): Html {
  const most = niceMost(columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)));
  const step = WIDTH / Math.max(1, columns.length);
  const width = Math.min(WIDEST_BAR, step * BAR);
  const hasLinks = columns.some(({ href }) => href !== null);
  return html`<svg viewBox="0 0 600 204" role="${hasLinks ? 'group' : 'img'}" aria-label="${label}">
    ${axis(most)} ${dayLabels(columns.map(({ day }) => day))}
    ${columns.map((column, index) => columnOf(column, LEFT + (index + 0.5) * step - width / 2, width, most))}
  </svg>`;
}

function columnOf({ day, parts, text, href }: Column, x: number, width: number, most: number): Html {
  let top = BOTTOM;
  const rects = parts.map(({ tone, value }) => {
    const height = (value / most) * HEIGHT;
    top -= height;
    return value > 0 && rect(tone, { x, y: top, width, height });
  });
  const drawn = html`${rects}<title>${text}</title>`;
  return href === null
    ? html`<g>${drawn}</g>`
    : html`<a href="${href}" aria-label="${text}" data-part="${day}">${drawn}</a>`;
}

function rect(tone: string, { x, y, width, height }: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>): Html {
  return html`<rect
    class="${tone}"
    x="${round(x)}"
    y="${round(y)}"
    width="${round(width)}"
    height="${round(height)}"
  />`;
}

/** `half` and `most`: half and 90 % of the day's values are below. Null: the day has no values. */
export interface BandDay {
  readonly day: string;
  readonly half: number | null;
  readonly most: number | null;
}

/** A chart with two lines and a band between the lines. The lines break at days without values. */
export function bandChart(label: string, days: readonly BandDay[]): Html {
  const top = niceMost(days.map(({ most }) => most ?? 0));
  const step = WIDTH / Math.max(1, days.length);
  const at = (index: number, value: number): string =>
    `${round(LEFT + (index + 0.5) * step)} ${round(BOTTOM - (value / top) * HEIGHT)}`;
  const pieces = piecesOf(days);
  return html`<svg viewBox="0 0 600 204" role="img" aria-label="${label}">
    ${axis(top)} ${dayLabels(days.map(({ day }) => day))}
    ${pieces.map((piece) => {
      const half = piece.map(({ index, half: value }) => at(index, value));
      const most = piece.map(({ index, most: value }) => at(index, value));
      if (piece.length === 1) return [dot('p50', half[0]!), dot('p90', most[0]!)];
      return html`<path class="band" d="M${most.join('L')}L${half.toReversed().join('L')}Z" />
        <path class="l90" d="M${most.join('L')}" /><path class="l50" d="M${half.join('L')}" />`;
    })}
  </svg>`;
}

function dot(name: string, place: string): Html {
  const [x, y] = place.split(' ');
  return html`<circle class="${name}" cx="${x ?? ''}" cy="${y ?? ''}" r="3" />`;
}

interface Point {
  readonly index: number;
  readonly half: number;
  readonly most: number;
}

/** Runs of consecutive days that have values. */
function piecesOf(days: readonly BandDay[]): readonly (readonly Point[])[] {
  const pieces: Point[][] = [];
  days.forEach(({ half, most }, index) => {
    if (half === null || most === null) return;
    const last = pieces.at(-1);
    const point = { index, half, most };
    if (last?.at(-1)?.index === index - 1) last.push(point);
    else pieces.push([point]);
  });
  return pieces;
}

function axis(most: number): Html[] {
  return [0, most / 2, most].map((value) => {
    const y = round(BOTTOM - (value / most) * HEIGHT);
    return html`<line class="grid" x1="36" x2="596" y1="${y}" y2="${y}" /><text x="30" y="${y + 4}" text-anchor="end"
        >${value.toLocaleString('en-GB')}</text
      >`;
  });
}

function dayLabels(days: readonly string[]): Html[] {
  const every = Math.ceil(days.length / MOST_LABELS);
  const step = WIDTH / Math.max(1, days.length);
  return days.flatMap((day, index) =>
    index % every === 0
      ? [html`<text x="${round(LEFT + (index + 0.5) * step)}" y="197" text-anchor="middle">${shortDay(day)}</text>`]
      : [],
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function shortDay(day: string): string {
  return DAY.format(new Date(day));
}

/** The smallest of 2, 4, 6, 8, 10, 20, 40, 50 … that no value exceeds, so that half of it is also a whole number. */
export function niceMost(values: readonly number[]): number {
  const most = Math.max(0, ...values);
  for (let unit = 1; ; unit *= 10) {
    const ends = [1, 2, 4, 5, 6, 8].map((factor) => factor * unit);
    const fits = ends.find((end) => end >= most && end % 2 === 0);
    if (fits !== undefined) return fits;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A card with a chart, its legend and its data as a table. */
export function chartCard(
  title: string,
  { unit, chart, legend, table }: Readonly<Record<'unit' | 'chart' | 'legend' | 'table', Content>>,
): Html {
  return html`<section class="card chart" aria-label="${title}">
    <h2>${title} <span class="soft">${unit}</span></h2>
    <div class="pad">${chart}</div>
    <p class="legend">${legend}</p>
    ${table}
  </section>`;
}

export function legendKey(tone: string, text: string): Html {
  return html`<span
    ><svg viewBox="0 0 18 10" aria-hidden="true">
      ${
        tone === 'l90'
          ? html`<line class="l90" x1="0" x2="18" y1="5" y2="5" />`
          : html`<rect class="${tone}" width="18" height="10" rx="2" />`
      }</svg
    >${text}</span
  >`;
}

/** The data of a chart as a table, newest day first. */
export function dayTable(
  heads: readonly string[],
  rows: readonly { readonly day: string; readonly cells: readonly Content[] }[],
): Html {
  return html`<details class="data">
    <summary>As a table</summary>
    <div class="scroll-x">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Day</th>
            ${heads.map((head) => html`<th class="num" scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.toReversed().map(
            ({ day, cells }) =>
              html`<tr>
                <td class="nowrap">${dayOfMonth(day)}</td>
                ${cells.map((cell) => html`<td class="num">${cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
