import type { ImpactedTargetsRecord } from '../../src/modules/pull-requests/dto/impacted-targets.dto';
import type {
  ListedPullRequests,
  SubmittedPullRequests,
} from '../../src/modules/pull-requests/dto/pull-request-lists.dto';
import type { SubmittedPullRequest } from '../../src/modules/pull-requests/submitted-pull-request.dto';
import type { TestingDetails } from '../../src/modules/pull-requests/dto/testing-details.dto';
import type { ListedTestingResults } from '../../src/modules/pull-requests/dto/testing-results.dto';
import type { QueueWithPullRequests } from '../../src/modules/queues/queue-record.dto';
import type { ListedQueues } from '../../src/modules/views/queue-summary.dto';
import type { Page } from '../../src/modules/shared/page.dto';
import type { FailingTestItem, QuarantinedTestItem } from '../../src/modules/test-health/http/lists/dto/test-lists.dto';

interface ErrorOf {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
  readonly requestId: string;
}

/** The answers of all operations in one type: a test reads the fields of the operation that it called. */
type Body = Omit<QueueWithPullRequests, 'state' | 'requiredStatuses'> &
  Omit<SubmittedPullRequest, 'state'> &
  Omit<TestingDetails, 'impactedTargets'> &
  ImpactedTargetsRecord &
  SubmittedPullRequests &
  ListedPullRequests &
  ListedTestingResults &
  ListedQueues & {
    readonly error?: ErrorOf;
    readonly state: string;
    readonly page: Page;
    readonly tests: readonly FailingTestItem[];
    readonly quarantined_tests: readonly QuarantinedTestItem[];
  };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body of the answer; empty when the answer is not JSON. */
  readonly body: Body;
}

/** One caller, who may also send invalid requests. */
export class Client {
  constructor(
    readonly url: string,
    readonly token: string | undefined,
  ) {}

  post(operation: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', operation, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path, undefined, {});
  }

  async send(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const response = await fetch(`${this.url}/v1/${path}`, {
      method,
      body,
      headers: { ...(this.token !== undefined && { 'x-api-token': this.token }), ...headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, text, body: JSON.parse(isJson ? text : '{}') as Body };
  }
}

export function codeOf({ status, body }: Answer): string {
  return body.error ? `${status} ${body.error.code}` : String(status);
}

/** The fields that a 400 answer complains about, with the message for each field. */
export function wrongFields(answer: Answer): Record<string, string> {
  if (codeOf(answer) !== '400 VALIDATION_FAILED') throw new Error(`Answered ${answer.status}: ${answer.text}`);
  const details = answer.body.error?.details ?? [];
  return Object.fromEntries(details.map(({ field, message }) => [field, message]));
}
