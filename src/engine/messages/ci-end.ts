import type { TestRun } from '../model';
import type { StatusVerdict } from '../policy/statuses';
import { type Quote, shortened } from '../wording/markdown';
import { agreeing, short } from '../wording/words';

const NAMED_AT_MOST = 8;
const LONGEST_NAME = 100;

/** "It reported `unit (1)`, `unit (2)`", without a full stop. The names are untrusted. */
export function whatItReported(reported: readonly string[], quote: Quote): string {
  if (reported.length === 0) return 'It reported nothing';
  const named = reported.slice(0, NAMED_AT_MOST).map((name) => quote(shortened(name, LONGEST_NAME)));
  return `It reported ${named.join(', ')}${reported.length > NAMED_AT_MOST ? ' and others' : ''}`;
}

/**
 * Sentences about required statuses that are missing although CI is done, with a full stop and a space in front. Empty
 * if no status is missing so.
 */
export function ciIsDone({ ciEnd, commit }: TestRun, { missing }: StatusVerdict, quote: Quote): string {
  if (ciEnd === undefined) return '';
  const ofJobs = missing.filter((name) => ciEnd.jobs.some((job) => job.name === name));
  const others = missing.filter((name) => !ofJobs.includes(name));
  const at = `CI has finished ${short(commit ?? '')} and`;
  const instead = whatItReported(ciEnd.reported, quote);
  if (ofJobs.length > 0) return `. ${at} never reported ${ofJobs.map(quote).join(', ')}. ${instead}`;
  // If CI ran nothing, its end says nothing about the reports of other services.
  if (others.length === 0 || ciEnd.runs === 0) return '';
  const them = agreeing(others, 'it', 'them');
  return `. ${at} did not report ${others.map(quote).join(', ')}. ${instead}. Another service may still report ${them}`;
}
