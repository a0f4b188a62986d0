import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { ClientSettings } from '../../platform/config/client-settings';
import { reasonOf, refusal, requireToken } from '../api-client';
import { CliError } from '../cli-error';
import type { ReportFile } from './find-reports';
import { multipartBody, type UploadContent } from './multipart-body';
import { postStream, type StreamedAnswer } from './post-stream';

export interface FailedTest {
  readonly name: string;
  readonly classname: string;
  readonly parent: string;
  readonly file: string;
  /** healthy | flaky | broken */
  readonly status: string;
  readonly quarantined: boolean;
}

/** The answer of the service. */
export interface UploadAnswer {
  readonly upload_id: string;
  readonly status: 'stored' | 'known';
  readonly results: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
  };
  readonly failures: readonly FailedTest[];
  readonly failures_truncated: boolean;
  readonly all_failures_quarantined: boolean;
}

export type UploadOutcome =
  /** `isOfThese`: the answer is about the reports of this upload. */
  | { readonly type: 'uploaded'; readonly answer: UploadAnswer; readonly isOfThese: boolean }
  | { readonly type: 'refused' | 'unreachable'; readonly error: CliError };

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

/** A failure of the network or of the service, which is worth another try. A refusal is not. */
type Attempt =
  | { readonly type: 'answered'; readonly answer: StreamedAnswer }
  | { readonly type: 'failed'; readonly why: string; readonly answer?: StreamedAnswer };

/** Sends an upload until it is stored or refused, or until all tries have failed: about half a minute, or longer if asked. */
export async function sendUpload(content: UploadContent, sending: Sending): Promise<UploadOutcome> {
  const { settings, say, pause = after } = sending;
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

function outcomeOf({ status, body }: StreamedAnswer, url: string, mayKnowThese: boolean): UploadOutcome {
  const parsed = jsonOf(body);
  if (status !== 200) return { type: 'refused', error: refusal(status, parsed ?? {}, url) };
  if (parsed === undefined || !('results' in parsed)) return { type: 'refused', error: refusal(status, {}, url) };
  const answer = parsed as UploadAnswer;
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

/** Waits as long as the service asks, or else twice as long each time. */
function pauseBefore(number: number, answer: StreamedAnswer | undefined): number {
  const asked = askedMs(answer);
  return Math.min(LONGEST_PAUSE_MS, asked ?? FIRST_PAUSE_MS * 2 ** (number - 2));
}

function askedMs(answer: StreamedAnswer | undefined): number | undefined {
  const { retryAfter, date } = answer ?? {};
  if (retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  // Both dates are by the service's clock, so a wrong clock here does not matter.
  const ms = Date.parse(retryAfter) - Date.parse(date ?? '');
  return ms >= 0 ? ms : undefined;
}

function unreachable(url: string, { why, answer }: Attempt & { readonly type: 'failed' }): CliError {
  const said = jsonOf(answer?.body ?? '') as { error?: { message?: string } } | undefined;
  const detail = said?.error?.message === undefined ? '' : `: ${said.error.message}`;
  return new CliError(`The results were not uploaded: ${why}${detail}.`, {
    code: 'UNREACHABLE',
    next: `Check --url or SLUICE_URL (${url}), then run the command again: results that arrive twice count once.`,
  });
}
