export interface ApiAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
}

/** Asks the service over HTTP, as one caller. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async post<Body = Record<string, unknown>>(operation: string, body: object): Promise<ApiAnswer<Body>> {
    const response = await fetch(`${this.url}/v1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-token': this.token },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  /** The body of a success; throws on anything else. */
  async mustPost<Body = Record<string, unknown>>(operation: string, body: object): Promise<Body> {
    const answer = await this.post<Body>(operation, body);
    if (answer.status !== 200) throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
