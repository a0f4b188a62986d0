/**
 * Planner settings for the statements of one transaction. They travel with BEGIN as SET LOCAL, so that they end with the transaction and
 * work behind a pooler.
 *
 * `by index`: for statements whose texts are few and whose plans do not depend on their parameters, while planning the largest takes longer
 * than running it: the five statements of a decision take 1 ms less with one plan for each connection. A connection often makes the plan
 * while the tables are small, so no plan may read whole tables. A scan by bitmap does not mark dead index entries, so every later scan
 * would read them again. Scans that are needed all the same have a price at which PostgreSQL would compile the statement each time.
 *
 * `joined by index`: `by index`, and joins follow the order of the indexes. For claims and retention, which look for the few new or due rows
 * of large tables: a hash join reads a whole table, whatever the statistics say.
 */
export const PLANNER_PROFILES = {
  'by index': `SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
    SET LOCAL plan_cache_mode = force_generic_plan`,
  'joined by index': `SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
    SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`,
} as const;

export type PlannerProfile = keyof typeof PLANNER_PROFILES;
