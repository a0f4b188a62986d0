import { randomUUID } from 'node:crypto';

export interface ApiAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
}

/** Calls the service over HTTP as one caller. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
    /** A signal that aborts pending requests. */
    private readonly signal?: AbortSignal,
  ) {}

  async post<Body = Record<string, unknown>>(operation: string, body: object): Promise<ApiAnswer<Body>> {
    const response = await fetch(`${this.url}/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-token': this.token },
      body: JSON.stringify(body),
      signal: this.signal,
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** Returns the body of a successful answer. Throws for any other answer. */
  async mustGet<Body = Record<string, unknown>>(path: string, query: Readonly<Record<string, string>>): Promise<Body> {
    const asked = new URLSearchParams(query).toString();
    const response = await fetch(`${this.url}/v1/${path}?${asked}`, { headers: { 'x-api-token': this.token } });
    const body = (await response.json()) as Body;
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
    return body;
  }

  /**
   * Uploads one JUnit report; `query` holds the fields of `metadata`. Each upload belongs to its own attempt unless
   * `query` names an attempt. Throws unless the upload succeeds.
   */
  async uploadReport<Body = Record<string, unknown>>(query: Readonly<Record<string, string>>, report: string) {
    const asked = new URLSearchParams({ attempt: randomUUID(), ...query });
    const path = `flaky-tests/upload-results?${asked.toString()}`;
    const headers = { 'content-type': 'application/xml', 'x-api-token': this.token };
    const response = await fetch(`${this.url}/v1/${path}`, { method: 'POST', headers, body: report });
    const body = (await response.json()) as Body;
    if (response.status !== 200) throw new Error(`upload-results: ${response.status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Returns the body of a successful answer. Throws for any other answer. */
  async mustPost<Body = Record<string, unknown>>(operation: string, body: object): Promise<Body> {
    const answer = await this.post<Body>(operation, body);
    if (answer.status !== 200) throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
