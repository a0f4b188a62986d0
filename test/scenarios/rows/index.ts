import { isUnsupported, type Scenario } from '../scenario';
import { CONTROL } from './a-control';
import { IN_ORDER } from './a-in-order';
import { DEPENDENCIES } from './b-dependencies';
import { BATCHES, SEARCHES } from './c-batches';
import { SERIAL, SERIAL_CONTROL } from './d-serial';
import { POOL } from './e-pool';
import { AHEAD } from './f-ahead';
import { GATES } from './g-gates';
import { REPORTS } from './x-reports';

/** Every row, in the order of their ids. */
export const ROWS: readonly Scenario[] = [
  ...IN_ORDER,
  ...CONTROL,
  ...DEPENDENCIES,
  ...BATCHES,
  ...SEARCHES,
  ...SERIAL,
  ...SERIAL_CONTROL,
  ...POOL,
  ...AHEAD,
  ...GATES,
  ...REPORTS,
];

/** The rows that can be played on the stage. */
export function rowsOn(stage: 'engine' | 'service'): readonly Scenario[] {
  return ROWS.filter((row) => !isUnsupported(row.outcome) && (stage === 'service' || row.onlyInService === undefined));
}
