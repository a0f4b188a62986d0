import { type Instant, MINUTE } from '../vocabulary';

const DAY: Instant = 24 * 60 * MINUTE;

/** `14:02 UTC`, or with the date if it is another day than `now`: `2026-11-23, 14:02 UTC`. */
export function clockTime(at: Instant, now: Instant): string {
  const minutes = Math.floor((at % DAY) / MINUTE);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)} UTC`;
  const [day, today] = [at, now].map((moment) => Math.floor(moment / DAY)) as [number, number];
  return day === today ? time : `${dateOf(day)}, ${time}`;
}

/**
 * `day`: days since 1970. Counted in eras of 400 years that begin in March, so that a leap day is the last of its year.
 */
function dateOf(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leaps = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${twoDigits(month)}-${twoDigits(dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
