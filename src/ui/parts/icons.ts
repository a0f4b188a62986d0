import { html, type Html } from '../html';

/** Paths for a view box of 16 by 16. */
const PATHS = {
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  ring: 'M14 8a6 6 0 1 1-6-6',
  land: 'M8 2v8M4.5 7L8 10.5 11.5 7M3 14h10',
  dash: 'M4 8h8',
  question: 'M5.8 6a2.3 2.3 0 1 1 3.4 2c-.9.5-1.2 1-1.2 1.8M8 12.6v.1',
  search: 'M11 11l3.2 3.2M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  person: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8zM3 14c.4-2.8 2.4-4 5-4s4.6 1.2 5 4',
  build: 'M3 13l5-5M9.5 2.5l4 4-2 2-4-4z',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  warn: 'M8 2.5L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  merge: 'M4.5 3v10M4.5 5c0 3.5 3 4.5 7 4.5M13 9.5l-2-1.8M13 9.5l-2 1.8',
  push: 'M8 13V4M4.5 7L8 3.5 11.5 7',
  batch: 'M3 4h10M3 8h10M3 12h10',
  link: 'M6 3H3v10h10v-3M9 3h4v4M13 3L7.5 8.5',
  half: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  off: 'M3 3l10 10M14 8a6 6 0 0 1-9.5 4.9M2 8a6 6 0 0 1 9.5-4.9',
  tag: 'M2.5 3v5l6 6 5-5-6-6zM5.2 5.7v.1',
} as const;

export type IconName = keyof typeof PATHS;

/** The drawings of all icons, included once in a page; every icon refers to them. */
export function sprite(): Html {
  const symbols = Object.entries(PATHS).map(
    ([name, path]) => html`<symbol id="i-${name}" viewBox="0 0 16 16"><path d="${path}" /></symbol>`,
  );
  return html`<svg width="0" height="0" class="hide" aria-hidden="true">${symbols}</svg>`;
}

export function icon(name: IconName, classes = ''): Html {
  return html`<svg class="i ${classes}" aria-hidden="true"><use href="#i-${name}" /></svg>`;
}
