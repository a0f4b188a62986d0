import { html, type Html } from '../html';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/**
 * A time in UTC: `14:09` if it is today, otherwise `19 Nov 14:09`. The script converts it to the reader's time zone.
 */
export function moment(iso: string, now: Date): Html {
  const at = new Date(iso);
  const isToday = DAY.format(at) === DAY.format(now);
  const text = `${isToday ? '' : `${DAY.format(at)} `}${TIME.format(at)}`;
  return html`<time datetime="${iso}" data-at title="${text} UTC">${text}</time>`;
}

/** A day in the form `19 Nov`, for data per day. */
export function dayOfMonth(iso: string): Html {
  return html`<time datetime="${iso}" title="${iso}">${DAY.format(new Date(iso))}</time>`;
}

/** `4 min ago`; the title has the time. */
export function ago(iso: string, now: Date): Html {
  const past = Math.max(0, now.getTime() - Date.parse(iso));
  return html`<time datetime="${iso}" title="${iso}">${past < MINUTE_MS ? 'just now' : `${roughly(past)} ago`}</time>`;
}

/** `40 s`, `4 min`, `2 h 6 min`, `3 days`. */
export function roughly(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) {
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
    return `${Math.floor(ms / HOUR_MS)} h${minutes === 0 ? '' : ` ${minutes} min`}`;
  }
  const days = Math.floor(ms / DAY_MS);
  return days === 1 ? '1 day' : `${days} days`;
}

/** `7:31`, `1:02:03`: for a ticking clock. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND_MS));
  const pad = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}
