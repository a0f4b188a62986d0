import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { ClientSettings } from '../../platform/config/client-settings';
import { reasonOf, refusal, requireToken } from '../api-client';
import { CliError } from '../cli-error';
import type { ReportFile } from './find-reports';
import { multipartBody, type UploadContent } from './multipart-body';
import { postStream, type StreamedAnswer } from './post-stream';

export interface FailedTest {
  readonly test_case_id?: string;
  readonly name: string;
  readonly classname: string;
  readonly parent: string;
  readonly file: string;
  /** healthy | flaky | broken */
  readonly status: string;
  readonly quarantined: boolean;
  /** The known history of the test, and the message of the failure; null or absent: the service does not say. */
  readonly known?: {
    readonly since: string;
    readonly reason: string;
    readonly codeowners: readonly string[];
    readonly html_url: string;
    /** Absent: the service is older. */
    readonly quarantine_url?: string;
    readonly earlier_runs: { readonly days: number; readonly ran: number; readonly failed: number };
    /** Absent: the service is older. */
    readonly passed_on_retry?: boolean;
    readonly last_failure: { readonly at: string; readonly branch: string } | null;
    readonly message: string;
    readonly stack: string;
  } | null;
}

/** A test that earlier runs of the job had, and this run has not. */
interface MissingTest extends Omit<FailedTest, 'quarantined' | 'known'> {
  readonly last_seen: { readonly commit: string; readonly job_url: string };
}

/** The answer of the service. */
export interface UploadAnswer {
  readonly upload_id: string;
  readonly status: 'stored' | 'known';
  /** False: monitors ignore the upload, because the machines probably caused the failures of its commit. */
  readonly counted: boolean;
  /** queue | pull_request | stable */
  readonly branch_class: string;
  readonly results: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  };
  /** The number of this upload's tests that other uploads of the same attempt also have. */
  readonly shared_tests: { readonly same_part: number; readonly other_parts: number };
  readonly failures: readonly FailedTest[];
  /** The number of new tests that are stored together under one name. */
  readonly tests_set_aside: number;
  readonly failures_truncated: boolean;
  readonly all_failures_quarantined: boolean;
  readonly refused_files: readonly { readonly file: string; readonly line: number | null; readonly reason: string }[];
  readonly refused_files_total: number;
  /** Reports without a result. */
  readonly empty_files: readonly string[];
  readonly missing_tests: readonly MissingTest[];
  readonly missing_tests_total: number;
  /** Reasons why a failure may be missing from the reports. */
  readonly doubts: readonly { readonly kind: string; readonly message: string }[];
}

export type UploadOutcome =
  /** `isOfThese`: the answer is about the reports of this upload. */
  | { readonly type: 'uploaded'; readonly answer: UploadAnswer; readonly isOfThese: boolean }
  | { readonly type: 'refused' | 'unreachable' | 'no_token'; readonly error: CliError };

interface Sending {
  readonly settings: ClientSettings;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
  readonly onSent: (file: ReportFile) => void;
  readonly pause?: (ms: number) => Promise<unknown>;
}

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** A failure of the network or of the service can be retried, but a refusal cannot. */
type Attempt =
  | { readonly type: 'answered'; readonly answer: StreamedAnswer }
  | { readonly type: 'failed'; readonly why: string; readonly answer?: StreamedAnswer };

/**
 * Sends an upload until it is stored or refused, or until all retries have failed: about half a minute, or longer if
 * the service asks for a longer pause.
 */
export async function sendUpload(content: UploadContent, sending: Sending): Promise<UploadOutcome> {
  const { settings, say, pause = after } = sending;
  if (settings.token === undefined) return { type: 'no_token', error: noToken() };
  for (let number = 1; ; number++) {
    const attempt = await attemptOnce(content, sending);
    if (attempt.type === 'answered')
      return outcomeOf(attempt.answer, settings.url, number > 1 || content.isIdOfContent);
    if (number === ATTEMPTS) return { type: 'unreachable', error: unreachable(settings.url, attempt) };
    const ms = pauseBefore(number + 1, attempt.answer);
    say(`${attempt.why}; again in ${Math.ceil(ms / 1_000)} s (${number} of ${ATTEMPTS - 1})`);
    await pause(ms);
  }
}

async function attemptOnce(content: UploadContent, { settings, onSent }: Sending): Promise<Attempt> {
  const boundary = `sluice-${randomUUID()}`;
  const headers = {
    'x-api-token': requireToken(settings),
    'content-type': `multipart/form-data; boundary=${boundary}`,
    accept: 'application/json',
  };
  let ofFiles: Error | undefined;
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield* multipartBody(content, boundary, onSent);
    } catch (error) {
      ofFiles = error as Error;
      throw error;
    }
  }
  try {
    const answer = await postStream(`${settings.url}/v1/flaky-tests/upload-results`, headers, body());
    const { status } = answer;
    if (status === 429 || status >= 500) return { type: 'failed', why: `${settings.url} answered ${status}`, answer };
    return { type: 'answered', answer };
  } catch (error) {
    if (ofFiles !== undefined)
      throw new CliError(`A report cannot be read: ${ofFiles.message}`, { code: 'NO_REPORTS' });
    return { type: 'failed', why: `no answer from ${settings.url} (${reasonOf(error)})` };
  }
}

/** Fields that an older service does not send. */
const OLDER_SERVICE: Partial<UploadAnswer> = {
  ...{ counted: true, refused_files: [], refused_files_total: 0, empty_files: [] },
  ...{ missing_tests: [], missing_tests_total: 0, tests_set_aside: 0, shared_tests: { same_part: 0, other_parts: 0 } },
  doubts: [{ kind: 'older_service', message: 'The service is too old to tell which tests are missing.' }],
};

function outcomeOf({ status, body }: StreamedAnswer, url: string, mayKnowThese: boolean): UploadOutcome {
  const parsed = jsonOf(body);
  if (status !== 200) return { type: 'refused', error: refusal(status, parsed ?? {}, url) };
  if (parsed === undefined || !('results' in parsed)) return { type: 'refused', error: refusal(status, {}, url) };
  const answer = { ...OLDER_SERVICE, ...(parsed as Partial<UploadAnswer>) } as UploadAnswer;
  return { type: 'uploaded', answer, isOfThese: answer.status === 'stored' || mayKnowThese };
}

function jsonOf(body: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The pause in milliseconds: as long as the service asks, or else twice as long as before the previous attempt. */
function pauseBefore(number: number, answer: StreamedAnswer | undefined): number {
  const asked = askedMs(answer);
  return Math.min(LONGEST_PAUSE_MS, asked ?? FIRST_PAUSE_MS * 2 ** (number - 2));
}

function askedMs(answer: StreamedAnswer | undefined): number | undefined {
  const { retryAfter, date } = answer ?? {};
  if (retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  // Both dates come from the service's clock, so a wrong clock on this machine does not matter.
  const ms = Date.parse(retryAfter) - Date.parse(date ?? '');
  return ms >= 0 ? ms : undefined;
}

function noToken(): CliError {
  return new CliError('The results were not uploaded: there is no token.', {
    code: 'NO_TOKEN',
    next: 'Pass --token or set SLUICE_TOKEN. CI gives no secrets to jobs of forks, so this is normal for a fork.',
  });
}

function unreachable(url: string, { why, answer }: Attempt & { readonly type: 'failed' }): CliError {
  const said = jsonOf(answer?.body ?? '') as { error?: { message?: string } } | undefined;
  const detail = said?.error?.message === undefined ? '' : `: ${said.error.message}`;
  return new CliError(`The results were not uploaded: ${why}${detail}.`, {
    code: 'UNREACHABLE',
    next: `Check --url or SLUICE_URL (${url}), then run the command again: results that arrive twice are counted once.`,
  });
}
