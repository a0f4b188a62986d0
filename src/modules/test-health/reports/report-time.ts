const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The zones of RFC 822. Other zone names are ambiguous, so times with them cannot be read. */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?\s*(?<half>[ap]m)?`;
const ZONE = String.raw`(?:\s*(?<zone>[a-z]{1,4}(?![a-z])|(?:utc|gmt)?[+-]\d{2}:?(?:\d{2})?))?`;
const WEEKDAY = String.raw`(?:[a-z]{3,9},?\s+)?`;

const SHAPES = [
  // 2021-03-07T10:36:56.549+01:00, also with a blank or a slash between its parts, or without a clock
  String.raw`(?<year>\d{4})(?<between>[-/])(?<month>\d{1,2})\k<between>(?<day>\d{1,2})(?:(?:\s*T\s*|\s+|_)${CLOCK}${ZONE})?`,
  // 20210307T103656Z
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})[T_ -]?(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})(?:[.,](?<fraction>\d+))?${ZONE}`,
  // Sun, 07 Mar 2021 10:36:56 GMT
  String.raw`${WEEKDAY}(?<day>\d{1,2})[ -](?<name>[a-z]{3})[a-z]*\.?[ -](?<year>\d{4})(?:,?\s+${CLOCK}${ZONE})?`,
  // Sun Mar  7 10:36:56 UTC 2021
  String.raw`${WEEKDAY}(?<name>[a-z]{3})[a-z]*\.?\s+(?<day>\d{1,2})\s+${CLOCK}${ZONE}\s+(?<year>\d{4})`,
  // 27/11/2026 10:36:56, 27.11.2026 10:36:56: the first number is too large for a month, or has a point, which is used
  // only with the day first
  String.raw`(?<day>1[3-9]|2\d|3[01])(?<between>[/.-])(?<month>\d{1,2})\k<between>(?<year>\d{4}),?\s+${CLOCK}${ZONE}`,
  String.raw`(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4}),?\s+${CLOCK}${ZONE}`,
  // 3/7/2021 10:36:56 AM: with AM or PM, the month comes first
  String.raw`(?<month>\d{1,2})/(?<day>\d{1,2})/(?<year>\d{4}),?\s+${CLOCK}${ZONE}`,
  // eslint-disable-next-line no-restricted-syntax -- The shapes are ours.
].map((shape) => new RegExp(`^${shape}$`, 'i'));

type Parts = Readonly<Record<string, string | undefined>>;

/** Null: the text is no time, or is ambiguous. A time without a zone is UTC. */
export function parseReportTime(text: string): Date | null {
  // Java writes the name of the zone after its offset.
  const trimmed = text.trim().replace(/(?<=Z|[+-]\d{2}:?\d{2})\[[\w/+-]{1,40}\]$/, '');
  if (trimmed.length > 64) return null;
  if (/^\d{9,19}([.,]\d+)?$/.test(trimmed)) return fromEpoch(trimmed.replace(',', '.'));
  for (const shape of SHAPES) {
    const parts = shape.exec(trimmed)?.groups;
    if (parts !== undefined) return fromParts(parts);
  }
  return null;
}

/**
 * The time of a number of seconds, milliseconds, microseconds or nanoseconds since 1970. The number of digits tells the
 * unit, for any time since 2001.
 */
function fromEpoch(text: string): Date | null {
  const digits = text.split('.')[0]?.length ?? 0;
  const perMillisecond = digits <= 11 ? 1e-3 : digits <= 14 ? 1 : digits <= 17 ? 1e3 : 1e6;
  return new Date(Math.floor(Number(text) / perMillisecond));
}

function fromParts(parts: Parts): Date | null {
  const number = (name: string): number => Number(parts[name] ?? 0);
  const month = parts.name === undefined ? number('month') - 1 : MONTHS.indexOf(parts.name.toLowerCase());
  const hour = parts.half === undefined ? number('hour') : onTheWholeDay(number('hour'), parts.half);
  const [year, day, minute, second] = [number('year'), number('day'), number('minute'), number('second')];
  const zoneMinutes = minutesOf(parts.zone);
  if (!(hour <= 23) || minute > 59 || second > 59 || zoneMinutes === null) return null;
  const midnight = new Date(Date.UTC(year, month, day));
  if (midnight.getUTCMonth() !== month || midnight.getUTCDate() !== day || midnight.getUTCFullYear() !== year) {
    return null;
  }
  const milliseconds = Math.floor(Number(`0.${parts.fraction ?? 0}`) * 1_000);
  return new Date(midnight.getTime() + ((hour * 60 + minute - zoneMinutes) * 60 + second) * 1_000 + milliseconds);
}

function onTheWholeDay(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

function minutesOf(zone: string | undefined): number | null {
  if (zone === undefined) return 0;
  const offset = /([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (offset === null) {
    const hours = ZONE_HOURS[zone.toLowerCase()];
    return hours === undefined ? null : hours * 60;
  }
  const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
  return minutes > 15 * 60 ? null : offset[1] === '-' ? -minutes : minutes;
}
