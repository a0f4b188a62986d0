import type { Samples } from './sql-in-source';

/** Parts of statements that cannot be known from the source: parameters, and texts that are made from lists. */
export const SAMPLES: Samples = {
  '*': {
    SHOWN_TASKS: `('updatePullRequestView')`,
    CONCLUDED: `'merged', 'failed'`,
  },
  'outbox.store rememberStored': { notes: `'{}'::jsonb`, also: 'true', only: 'true' },
  'outbox.store written': { changes: `"answers" = 0`, only: 'true' },
  'observations observationsSaved': { from: '(SELECT gen_random_uuid() AS "repositoryId")', list: `'[]'::jsonb` },
  'queue-lock lockAndObserve': { locked: 'SELECT q.* FROM "Queue" q', seen: 'SELECT 1' },
  'bulk writeTogether': {
    'Prisma.join(parts)': 'w0 AS (SELECT 1)',
    "Prisma.join([ZERO, ...counts], ' + ')": '0',
    'nameOf(0)': 'w0',
  },
  'bulk insertion': { into: '"Queue" ("id")', values: '"id"', 'typesOf(table)': '"id" uuid' },
  'bulk update': {
    assignments: '"Queue" known SET "version" = 1',
    further: `, "settings" = known."settings" || '{}'::jsonb`,
    'typesOf(table)': '"id" uuid',
  },
  'read-snapshot readAtOnce': { waiting: '(SELECT 1)' },
  'queue-days countedOnDay': { known: `'{}'::jsonb`, added: `'{}'::jsonb` },
  'queue-list listNow': { visible: 'true', 'named(words)': 'true' },
  'queue-list placeOf': { visible: 'true' },
  'waiting-page readTurns': { beyond: '("pendingRank", "priority") > (0, 0)' },
  'waiting-page countUpTo': { place: '0, 0, 0, 0' },
  'newest-status newestStatusSaved': { from: '(SELECT 1) AS "always"' },
  'token-resolver find': { condition: 'true' },
  'listed-page listedPage': { listed: 'SELECT gen_random_uuid() AS id' },
  'store-failures renameIn': { 'Prisma.raw(table)': 'incoming_failure' },
  'expired-results dropResults': { partition: 'test_results.result_20261121' },
  'expired-results dropResults 2': { partition: 'test_results.result_20261121' },
};

/** Statements that work only inside another statement, because they use rows that the other one has read. */
export const PARTS: Readonly<Record<string, string>> = {
  'read-entries entriesOfWanted': 'read-snapshot readAtOnce',
  'read-entries outsideOfWanted': 'read-snapshot readAtOnce',
  'read-in-flight landedSinceBases': 'read-snapshot readAtOnce',
  'read-in-flight reportsOn': 'read-snapshot readAtOnce',
  'read-in-flight downtimesOfTests': 'read-snapshot readAtOnce',
  'read-snapshot versionsOfHeads': 'read-snapshot readAtOnce',
  'target-sets targetsOfHead': 'target-sets readVersions',
  'pull-request-heads headToldSaved': 'inbox store',
  'outcome-counts outcomesByDay': 'outcome-counts outcomesOf',
};
