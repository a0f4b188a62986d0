import { createHash } from 'node:crypto';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** Of the predicate. Its fields are in docs/attestations.md. Another meaning of a field is another version. */
export const MERGE_TYPE = 'urn:sluice:merge:v1';
/** The media type of what is signed. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A pull request below this one in its stack, which was squashed or rebased: its commits count as merged. */
export interface StatedBelow {
  /** The newest commit that both have. */
  readonly commit: string;
  /** The target before and after its merge. Null: both merged at once, this one later. */
  readonly merged: { readonly before: string; readonly after: string } | null;
}

export interface StatedStatus {
  readonly name: string;
  readonly state: string;
  /** The host's id of the app, or of the app and the job, that reported it. Absent: the host does not say. */
  readonly reporter?: string;
  /** By the host's clock. */
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
  /** So many more had no room. Absent: none. */
  readonly statusesLeftOut?: number;
  /** The run took the result of an earlier run of the same tree. */
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
  /** Where the repository is: `https://<host>/<owner>/<name>`. */
  readonly repository: string;
  readonly branch: string;
  /** Statements about one branch are numbered from 1 on, without a gap. */
  readonly number: number;
  /** sha256 of the payload of the statement before, in hex. Null: this is the first one. */
  readonly previous: string | null;
  readonly mergedAt: string;
  readonly signedAt: string;
  /** The commit that the branch pointed at before, and the commit and tree that it pointed at afterwards. */
  readonly before: string;
  readonly after: string;
  readonly tree: string;
  readonly pullRequest: { readonly number: number; readonly head: string };
  /** Absent: none. */
  readonly below?: readonly StatedBelow[];
  /** Layers below it in a stack of the code host, the lowest first, that the host merged together with it. Absent: none. */
  readonly stack?: readonly { readonly number: number; readonly head: string }[];
  readonly merge: { readonly method: string; readonly git: string };
  /** Null: no test run of this queue. `direct` then has the reports of the head. */
  readonly test: StatedTest | null;
  /** A direct merge: the head had passed on top of the target. */
  readonly direct?: { readonly statuses: readonly StatedStatus[] };
  /** Logins of those whose approval counted, as far as the branch demands approvals and the code host names them. */
  readonly approvedBy: readonly string[];
  /** Open demands of the code host: reviews, approvals of owners, signatures. */
  readonly demandsUnmet: readonly string[];
  /** When the host was asked that. */
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

/** Bytes of a payload, beyond which reports are left out: in base64 and with its signature it then has less than 4 KB. */
const LARGEST_PAYLOAD = 2_700;

/** The text that is signed. Statuses that have no room are counted, those that were not required first. */
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

/** sha256 in hex: the next statement names it. */
export function payloadDigest(payload: string | Buffer): string {
  return createHash('sha256').update(payload).digest('hex');
}

/** The stated merge, or why the payload has none. */
export function landingIn(payload: string): StatedLanding | { readonly problem: string } {
  let statement: Partial<Statement> | null;
  try {
    statement = JSON.parse(payload) as Partial<Statement> | null;
  } catch {
    return { problem: 'what is signed is no JSON' };
  }
  if (statement?._type !== STATEMENT_TYPE) return { problem: 'what is signed is no in-toto statement' };
  if (statement.predicateType !== MERGE_TYPE) {
    return { problem: `what is signed is of another kind: ${String(statement.predicateType)}` };
  }
  const landing = statement.predicate;
  if (!isLanding(landing)) return { problem: 'a field of the statement is missing' };
  if (statement.subject?.[0]?.digest.gitCommit !== landing.after) {
    return { problem: 'the statement is about another commit than it describes' };
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
