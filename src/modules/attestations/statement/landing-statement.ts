import { createHash } from 'node:crypto';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/**
 * The type of the predicate. docs/attestations.md describes the fields of the predicate. A field with a new meaning
 * needs a new version.
 */
export const MERGE_TYPE = 'urn:sluice:merge:v1';
/** The media type of the signed payload. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A squashed or rebased pull request below the merged pull request in the same stack. Its commits count as merged. */
export interface StatedBelow {
  /** The newest common commit of both pull requests. */
  readonly commit: string;
  /** The commit of the target branch before and after the lower pull request's merge. Null: both merged in one step. */
  readonly merged: { readonly before: string; readonly after: string } | null;
}

export interface StatedStatus {
  readonly name: string;
  readonly state: string;
  /** The code host's id of the reporting app, or of the app and its job. Absent: the code host does not say. */
  readonly reporter?: string;
  /** The time of the report, by the clock of the code host. */
  readonly at: string;
}

/** The test run that proved the tree. */
export interface StatedTest {
  readonly run: number;
  /** The commit that was tested. */
  readonly commit: string | null;
  readonly tree: string | null;
  /** Pull requests that were tested together, in the order of the commit. */
  readonly pullRequests: readonly number[];
  readonly required: readonly string[];
  /** Reports on the tested commit, required statuses first. */
  readonly statuses: readonly StatedStatus[];
  /** The number of reports that did not fit. Absent: none. */
  readonly statusesLeftOut?: number;
  /** True: the run took the result of an earlier run of the same tree. */
  readonly reused?: true;
}

export interface StatedSettings {
  readonly mode: string;
  readonly scheduling: string;
  readonly batch: boolean;
  readonly concurrency: number;
  readonly pendingFailureDepth: number;
  readonly optimistic: boolean;
  readonly directMerges: string;
}

/** A merge, as the service states it. */
export interface StatedLanding {
  /** The URL of the repository: `https://<host>/<owner>/<name>`. */
  readonly repository: string;
  readonly branch: string;
  /** The position among the statements about one branch, counted from 1 without gaps. */
  readonly number: number;
  /** SHA-256 of the payload of the previous statement, in hex. Null: this is the first one. */
  readonly previous: string | null;
  readonly mergedAt: string;
  readonly signedAt: string;
  /** The commit of the branch before the merge, and the commit and tree of the branch after the merge. */
  readonly before: string;
  readonly after: string;
  readonly tree: string;
  readonly pullRequest: { readonly number: number; readonly head: string };
  /** Absent: none. */
  readonly below?: readonly StatedBelow[];
  /**
   * The lower pull requests of the same stack that the code host merged together with this one, lowest first. Absent:
   * none.
   */
  readonly stack?: readonly { readonly number: number; readonly head: string }[];
  readonly merge: { readonly method: string; readonly git: string };
  /** Null: the queue made no test run. Then `direct` has the reports of the head. */
  readonly test: StatedTest | null;
  /** A direct merge: the head had passed on top of the target. */
  readonly direct?: { readonly statuses: readonly StatedStatus[] };
  /** Logins of the approvers, as far as the branch requires approvals and the code host names approvers. */
  readonly approvedBy: readonly string[];
  /** Unmet demands of the code host: reviews, approvals of owners, signatures. */
  readonly demandsUnmet: readonly string[];
  /** The time of the query about approvals and demands. */
  readonly demandsSeenAt: string | null;
  readonly settings: StatedSettings;
  readonly service: { readonly name: string; readonly version: string };
}

interface Statement {
  readonly _type: string;
  readonly subject: readonly { readonly name?: string; readonly digest: Readonly<Record<string, string>> }[];
  readonly predicateType: string;
  readonly predicate: StatedLanding;
}

/**
 * The size in bytes above which the payload leaves out reports, so that the signed statement in base64 has less than 4
 * KB.
 */
const LARGEST_PAYLOAD = 2_700;

/** The signed text. Statuses that do not fit are left out and only counted; optional statuses are left out first. */
export function payloadOf(landing: StatedLanding): string {
  const { test } = landing;
  let payload = written(landing);
  for (let kept = test?.statuses.length ?? 0; test && kept > 0 && Buffer.byteLength(payload) > LARGEST_PAYLOAD;) {
    kept--;
    const statusesLeftOut = test.statuses.length - kept;
    payload = written({ ...landing, test: { ...test, statuses: test.statuses.slice(0, kept), statusesLeftOut } });
  }
  return payload;
}

function written(landing: StatedLanding): string {
  const statement: Statement = {
    _type: STATEMENT_TYPE,
    subject: [{ name: `${landing.repository}@${landing.branch}`, digest: { gitCommit: landing.after } }],
    predicateType: MERGE_TYPE,
    predicate: landing,
  };
  return JSON.stringify(statement);
}

/** The SHA-256 of the payload in hex, which the next statement names. */
export function payloadDigest(payload: string | Buffer): string {
  return createHash('sha256').update(payload).digest('hex');
}

/** The stated merge, or the reason why the payload has none. */
export function landingIn(payload: string): StatedLanding | { readonly problem: string } {
  let statement: Partial<Statement> | null;
  try {
    statement = JSON.parse(payload) as Partial<Statement> | null;
  } catch {
    return { problem: 'the signed content is not JSON' };
  }
  if (statement?._type !== STATEMENT_TYPE) return { problem: 'the signed content is not an in-toto statement' };
  if (statement.predicateType !== MERGE_TYPE) {
    return { problem: `the signed statement is of another type: ${String(statement.predicateType)}` };
  }
  const landing = statement.predicate;
  if (!isLanding(landing)) return { problem: 'a field of the statement is missing' };
  if (statement.subject?.[0]?.digest.gitCommit !== landing.after) {
    return { problem: 'the statement names one commit as its subject, but describes the merge of another' };
  }
  return landing;
}

const COMMIT = /^[0-9a-f]{40}$/;

function isLanding(given: unknown): given is StatedLanding {
  const landing = given as Partial<StatedLanding> | null;
  if (typeof landing !== 'object' || landing === null) return false;
  const { number, previous, before, after, tree, branch, repository, mergedAt, pullRequest, below = [] } = landing;
  const ids = [before, after, tree, pullRequest?.head, ...idsBelow(below), ...idsOfStack(landing.stack ?? [])];
  return (
    Number.isSafeInteger(number) &&
    (previous === null || typeof previous === 'string') &&
    [branch, repository, mergedAt].every((text) => typeof text === 'string') &&
    !Number.isNaN(Date.parse(mergedAt ?? '')) &&
    Number.isSafeInteger(pullRequest?.number) &&
    ids.every((id) => typeof id === 'string' && COMMIT.test(id))
  );
}

function idsOfStack(stack: NonNullable<StatedLanding['stack']>): readonly unknown[] {
  return Array.isArray(stack) ? stack.map((layer: { readonly head?: unknown } | null) => layer?.head) : [null];
}

function idsBelow(below: readonly StatedBelow[]): readonly unknown[] {
  if (!Array.isArray(below)) return [null];
  return below.flatMap(({ commit, merged }: StatedBelow) =>
    merged === null ? [commit] : [commit, merged?.before, merged?.after],
  );
}
