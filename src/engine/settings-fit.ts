import type { Refused } from './decision';
import type { QueueSettings } from './model';
import type { QueueMode } from './vocabulary';

/** Refuses settings that exclude each other; null: they can be combined. */
export function misfitOfSettings(
  { scheduling, canOptimisticallyMerge }: Pick<QueueSettings, 'scheduling' | 'canOptimisticallyMerge'>,
  mode: QueueMode,
): Refused | null {
  if (scheduling !== 'flow') return null;
  if (mode === 'parallel') return refused('mode', 'single');
  if (!canOptimisticallyMerge)
    return refused(
      'canOptimisticallyMerge',
      'true',
      ', because a run that passes merges everything that it was tested with',
    );
  return null;
}

function refused(field: string, needed: string, why = ''): Refused {
  const message = `scheduling flow needs ${field} ${needed}${why}: set ${field} to ${needed}, or scheduling to in_order`;
  const fields = [
    { field: 'scheduling', message: `flow needs ${field} ${needed}` },
    { field, message: `must be ${needed} with scheduling flow` },
  ];
  return { type: 'refused', refusal: { code: 'VALIDATION_FAILED', message, fields } };
}
