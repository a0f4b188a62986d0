/**
 * The fields of the API. `!` after the name of a field means that it is required. The text of a field is its type,
 * followed by its values or range. A field that can only be an integer is `integer`, even if the original description
 * says number.
 */
export type Fields = Readonly<Record<string, string>>;

export interface Contract {
  readonly method: 'post' | 'get';
  readonly request?: Fields;
  readonly response?: Fields;
}

const U32 = 'integer 1..4294967295';
const REPO = { 'repo!': 'object', 'repo.host!': 'string', 'repo.owner!': 'string', 'repo.name!': 'string' };
const QUEUE = { ...REPO, 'targetBranch!': 'string' };
const PULL_REQUEST = { ...QUEUE, 'pr!': 'object', 'pr.number!': 'integer 1..2147483647' };

const SETTINGS = {
  concurrency: U32,
  bisectionConcurrency: U32,
  testingTimeoutMinutes: U32,
  pendingFailureDepth: U32,
  canOptimisticallyMerge: 'boolean',
  batch: 'boolean',
  batchingMaxWaitTimeMinutes: U32,
  batchingMinSize: U32,
  mode: 'string single|parallel',
  commentsEnabled: 'boolean',
  commandsEnabled: 'boolean',
  createPrsForTestingBranches: 'boolean',
  directMergeMode: 'string off|always',
  optimizationMode: 'string off|bisection_skip_redundant_tests',
  mergeMethod: 'string merge_commit|squash|rebase',
  statusCheckEnabled: 'boolean',
  requiredStatuses: 'array',
};
const UPDATE = { ...QUEUE, state: 'string running|paused|draining', ...SETTINGS, deleteRequiredStatuses: 'boolean' };
const RECORD = {
  'state!': 'string running|paused|draining|switching_modes',
  'branch!': 'string',
  ...Object.fromEntries(Object.entries(SETTINGS).map(([name, type]) => [`${name}!`, type === U32 ? 'integer' : type])),
};
const ENQUEUED = {
  stateChangedAt: 'string',
  priorityValue: 'integer',
  priorityName: 'string',
  skipTheLine: 'boolean',
  noBatch: 'boolean',
  prNumber: 'integer',
  prTitle: 'string',
  prSha: 'string',
  prBaseBranch: 'string',
  prAuthor: 'string',
  id: 'string',
  usedDefaultPriorityName: 'string',
};
const STATES = 'not_ready|pending|testing|tests_passed|merged|failed|cancelled|pending_failure';
const SUBMITTED = {
  'stateChangedAt!': 'string',
  'priorityValue!': 'integer',
  'priorityName!': 'string',
  'skipTheLine!': 'boolean',
  'forceEnqueued!': 'boolean',
  'isCurrentlySubmittedToQueue!': 'boolean',
  'prNumber!': 'integer',
  'prTitle!': 'string',
  'prSha!': 'string',
  'prBaseBranch!': 'string',
  'prAuthor!': 'string',
  id: 'string',
  state: `string ${STATES}`,
  readiness: 'object',
  'readiness.requiresImpactedTargets': 'boolean',
  'readiness.doesBaseBranchMatch': 'boolean',
  'readiness.hasImpactedTargets': 'boolean',
  'readiness.hostMergeability': 'string unspecified|in_progress|mergeable|not_mergeable',
  usedDefaultPriorityName: 'string',
};
/** The fields of the items of a list. */
function ofEach(list: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [`${list}[].${name}`, type]));
}

const LIST = {
  ...REPO,
  'org_url_slug!': 'string',
  'page_query!': 'object',
  'page_query.page_size!': 'integer 1..100',
  'page_query.page_token': 'string',
};
const PAGE = {
  'page!': 'object',
  'page.total_rows!': 'integer',
  'page.total_pages!': 'integer',
  'page.next_page_token!': 'string',
  'page.prev_page_token!': 'string',
  'page.last_page_token!': 'string',
  'page.page_index!': 'integer',
};
const TEST = {
  'tests!': 'array',
  'tests[].id!': 'string',
  'tests[].repository!': 'object',
  'tests[].repository.html_url!': 'string',
  'tests[].html_url!': 'string',
  'tests[].name!': 'string',
  'tests[].variant!': 'string',
  'tests[].status!': 'object',
  'tests[].status.reason!': 'string',
  'tests[].status.timestamp!': 'string',
  'tests[].codeowners!': 'array',
  'tests[].pull_requests_impacted_last_7d!': 'integer',
  'tests[].quarantined!': 'boolean',
  'tests[].file_path!': 'string',
  'tests[].parent!': 'string',
  'tests[].classname!': 'string',
  'tests[].ticket!': 'object',
  'tests[].ticket.html_url!': 'string',
};
const FAILING = {
  'tests[].most_common_failures!': 'array',
  'tests[].most_common_failures[].summary!': 'string',
  'tests[].most_common_failures[].occurrence_count!': 'integer',
  'tests[].most_common_failures[].last_occurrence!': 'string',
  'tests[].failure_rate_last_7d!': 'number',
  'tests[].failure_rate_last_24h!': 'number',
};
const QUARANTINED_NAMES = 'name parent file classname quarantined_at status_last_updated_at test_case_id variant'.split(
  ' ',
);
const QUARANTINED = {
  'quarantined_tests!': 'array',
  'quarantined_tests[].codeowners!': 'array',
  ...Object.fromEntries(QUARANTINED_NAMES.map((name) => [`quarantined_tests[].${name}!`, 'string'])),
};
/** The answer about one test. The answer has the fields of an item in the list of failing tests. */
const DETAILS = {
  'test!': 'object',
  ...Object.fromEntries(
    Object.entries({ ...TEST, ...FAILING })
      .filter(([name]) => name !== 'tests!')
      .map(([name, type]) => [name.replace('tests[].', 'test.'), type]),
  ),
};

export const CONTRACT: Readonly<Record<string, Contract>> = {
  '/v1/submitPullRequest': { method: 'post', request: PULL_REQUEST, response: SUBMITTED },
  '/v1/cancelPullRequest': { method: 'post', request: PULL_REQUEST, response: SUBMITTED },
  '/v1/restartTestsOnPullRequest': { method: 'post', request: PULL_REQUEST, response: SUBMITTED },
  '/v1/getSubmittedPullRequest': {
    method: 'post',
    request: { ...QUEUE, 'pr!': 'object', 'pr.number': 'integer 1..2147483647' },
    response: SUBMITTED,
  },
  '/v1/getSubmittedPullRequests': {
    method: 'post',
    request: {
      ...QUEUE,
      'prs!': 'array',
      'prs[].number!': 'integer 1..2147483647',
      includeTimeline: 'boolean',
    },
    response: { 'pullRequests!': 'array', ...ofEach('pullRequests', SUBMITTED), 'notFound!': 'array' },
  },
  '/v1/listPullRequests': {
    method: 'post',
    request: {
      ...QUEUE,
      state: `string ${STATES}`,
      since: 'string',
      until: 'string',
      cursor: 'string',
      take: 'integer 1..100',
    },
    response: { 'pullRequests!': 'array', ...ofEach('pullRequests', SUBMITTED), nextCursor: 'string' },
  },
  '/v1/listMergeQueueTestingResults': {
    method: 'post',
    request: { ...QUEUE, 'since!': 'string', until: 'string', offset: 'integer 0..2147483647', take: 'integer 1..100' },
    response: {
      'testingResults!': 'array',
      'testingResults[].prNumber!': 'integer',
      'testingResults[].endedAt!': 'string',
      'testingResults[].testingDurationMs!': 'integer',
      'testingResults[].outcome!': 'string passed|failed|cancelled|timed_out',
      'testingResults[].cycleConclusion!': 'string merged|failed|cancelled',
      'testingResults[].bisection!': 'boolean',
      'testingResults[].testRunId!': 'string',
      'totalItems!': 'integer',
    },
  },
  '/v1/setImpactedTargets': { method: 'post', request: { ...PULL_REQUEST, 'impactedTargets!': 'array|string' } },
  '/v1/getMergeQueueTestingDetails': {
    method: 'post',
    request: { ...QUEUE, pr: 'object', 'pr.number!': 'integer 1..2147483647', testRunId: 'string' },
  },
  '/v1/createQueue': { method: 'post', request: UPDATE, response: RECORD },
  '/v1/deleteQueue': { method: 'post', request: QUEUE },
  '/v1/getQueue': {
    method: 'post',
    request: QUEUE,
    response: {
      ...RECORD,
      'enqueuedPullRequests!': 'array',
      ...Object.fromEntries(Object.entries(ENQUEUED).map(([name, type]) => [`enqueuedPullRequests[].${name}!`, type])),
      'enqueuedPullRequests[].state!': `string ${STATES}`,
    },
  },
  '/v1/updateQueue': { method: 'post', request: UPDATE, response: RECORD },
  '/v1/getMergeQueueMetrics': { method: 'get' },
  '/v1/flaky-tests/list-failing-tests': {
    method: 'post',
    request: { ...LIST, 'start_time!': 'string', 'end_time!': 'string' },
    response: { ...TEST, ...FAILING, ...PAGE },
  },
  '/v1/flaky-tests/list-unhealthy-tests': {
    method: 'post',
    request: { ...LIST, 'status!': 'string FLAKY|BROKEN' },
    response: { ...TEST, ...PAGE },
  },
  '/v1/flaky-tests/list-quarantined-tests': { method: 'post', request: LIST, response: { ...QUARANTINED, ...PAGE } },
  '/v1/flaky-tests/get-test-details': {
    method: 'post',
    request: { ...REPO, 'org_url_slug!': 'string', 'test_id!': 'string' },
    response: DETAILS,
  },
  '/v1/flaky-tests/link-ticket-to-test-case': {
    method: 'post',
    request: { ...REPO, 'test_case_id!': 'string', 'external_ticket_id!': 'string' },
  },
};
