const MS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  msec: 1,
  s: 1_000,
  sec: 1_000,
  secs: 1_000,
  second: 1_000,
  seconds: 1_000,
  m: 60_000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
};

const SMALL_UNITS: ReadonlySet<string> = new Set(['ns', 'us', 'µs', 'μs', 'ms', 'msec']);

/**
 * No test takes 24 days. A number above this limit has another unit, such as nanoseconds, or is not a duration. The
 * limit is the largest 32-bit number of milliseconds.
 */
const MAX_DURATION_MS = 2 ** 31 - 1;

const NUMBER = /^[+]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Seconds by default: `0.5`, `0,5`, `1,234.5`, `1.2e-05`, `35ms`, `1m 2s`, `1m 4`, `00:01:02.5`, `1.00:00:01`. Null:
 * not a duration.
 */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '' || trimmed.length > 64) return null;
  const isPlain = /^\d+(\.\d+)?$/.test(trimmed);
  const ms = isPlain ? Number(trimmed) * 1_000 : (onClock(trimmed) ?? withUnits(trimmed) ?? inSeconds(trimmed));
  return ms === null ? null : durationOfMs(ms);
}

/** Null: not a duration. A clock that was set back leaves a negative number. */
export function durationOfMs(ms: number): number | null {
  return ms >= 0 && ms <= MAX_DURATION_MS ? Math.round(ms * 1e3) / 1e3 : null;
}

function inSeconds(text: string): number | null {
  const seconds = parseDecimal(text);
  return seconds === null ? null : seconds * 1_000;
}

/** .NET writes days with a point before the hours. */
function onClock(text: string): number | null {
  const [, days, hours, minutes, seconds] =
    /^(?:(?:(\d+)\.(?=\d+:\d+:))?(\d+):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)$/.exec(text) ?? [];
  if (minutes === undefined || seconds === undefined) return null;
  const wholeHours = Number(days ?? 0) * 24 + Number(hours ?? 0);
  return ((wholeHours * 60 + Number(minutes)) * 60 + Number(seconds.replace(',', '.'))) * 1_000;
}

function withUnits(text: string): number | null {
  const PART = /\s*([\d.,]+(?:e[+-]?\d+)?)\s*([a-zµμ]+)\s*/y;
  let sum = 0;
  for (PART.lastIndex = 0; PART.lastIndex < text.length;) {
    const from = PART.lastIndex;
    const [, amount, unit] = PART.exec(text) ?? [];
    // In `1m 4`, the last number is seconds.
    if (amount === undefined) return sum > 0 ? plus(sum, inSeconds(text.slice(from))) : null;
    const perUnit = MS_PER_UNIT[unit ?? ''];
    const number = isThousands(amount, unit) ? Number(amount.replace(',', '')) : parseDecimal(amount);
    if (perUnit === undefined || number === null) return null;
    sum += number * perUnit;
  }
  return sum;
}

function plus(sum: number, more: number | null): number | null {
  return more === null ? null : sum + more;
}

/** `4,656 ms`: no clock measures thousandths of a millisecond, so the comma separates thousands. */
function isThousands(amount: string, unit: string | undefined): boolean {
  return unit !== undefined && SMALL_UNITS.has(unit) && /^\d{1,3},\d{3}$/.test(amount);
}

/** The last of several separators is the decimal separator, and so is a single comma. */
function parseDecimal(text: string): number | null {
  const commas = text.split(',').length - 1;
  const isGrouped = commas > 1 || (commas === 1 && text.includes('.') && text.lastIndexOf('.') > text.indexOf(','));
  const plain = isGrouped
    ? text.replaceAll(',', '')
    : commas === 1 && text.includes('.')
      ? text.replaceAll('.', '').replace(',', '.')
      : text.replace(',', '.');
  return NUMBER.test(plain) ? Number(plain) : null;
}
