import type { ExpectedEnd } from '../../modules/shared/expected-end.dto';
import { html, type Html } from '../html';
import { moment } from './times';

/**
 * `about 14:23 (14:20 to 14:31)`: half of the comparable pull requests had finished by the first time, and 90 % by the
 * end of the interval. There is no interval if both times are in the same minute.
 */
export function etaWithInterval(eta: ExpectedEnd | null, now: Date): Html {
  if (eta === null) return html`<span class="soft">no forecast yet</span>`;
  const about = html`about <b>${moment(eta.p50, now)}</b>`;
  if (minuteOf(eta.low) === minuteOf(eta.high)) return about;
  return html`${about} <span class="soft nowrap">(${moment(eta.low, now)} to ${moment(eta.high, now)})</span>`;
}

export function shortEta(eta: ExpectedEnd | null | undefined, now: Date): Html {
  if (eta == null) return html`<span class="soft">no forecast yet</span>`;
  return html`<span title="between ${eta.low} and ${eta.high}">${moment(eta.p50, now)}</span>`;
}

/** The expected time for an HTML attribute, which holds text only. */
export function etaText(eta: ExpectedEnd | null | undefined): string {
  return eta == null ? 'There is no forecast yet.' : `It merges about ${eta.p50.slice(11, 16)} UTC.`;
}

function minuteOf(iso: string): string {
  return new Date(iso).toISOString().slice(0, 16);
}
