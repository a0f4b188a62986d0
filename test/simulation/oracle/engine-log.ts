import type { Change } from '../../../src/engine/changes';

/**
 * A change of the engine as a line that can be compared with the oracle's log; null if the change adds no information.
 */
export function told(change: Change): string | null {
  switch (change.type) {
    case 'entryMoved': {
      const { entryId, from, to, because, run } = change;
      return `  ${entryId.replace('entry-', '#')} ${from} → ${to} (${because ?? `run ${run}`})`;
    }
    case 'runStarted': {
      const { number, kind, builtOn, own } = change.run;
      const numbers = (changes: typeof own): string => changes.map((other) => other.number).join(' ');
      return `  run ${number} (${kind}) of [${numbers(own)}] on [${numbers(builtOn)}]`;
    }
    case 'runEnded':
      return `  run ${change.run} ended (${change.because})`;
    case 'landingOrdered':
      return `  landing of runs ${change.landing.runs.join(' ')} ordered`;
    case 'entriesReturned':
      return `  back in front: ${change.returns.map(({ entryId }) => entryId.replace('entry-', '#')).join(' ')}`;
    case 'searchStarted':
    case 'searchAdvanced': {
      const { stage, members, results } = change.search;
      const found = results.map(({ length, verdict }) => `${length} ${verdict}`).join(', ');
      return `  search (${stage}) among [${members.map(({ number }) => number).join(' ')}] ${found}`;
    }
    case 'runConflicted':
    case 'landingSettled':
    case 'searchEnded':
    case 'modeChanged':
    case 'queueMoved':
      return `  ${JSON.stringify(change)}`;
    default:
      return null;
  }
}
