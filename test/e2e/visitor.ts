export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of the redirect; "" if the answer is a page. */
  readonly to: string;
}

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A browser without scripts: it keeps the cookie of its session, and does not follow redirects. */
export class Visitor {
  private cookies = new Map<string, string>();

  constructor(private readonly url: string) {}

  get(path: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.send(path, { headers });
  }

  /** Sends a form in the same way as a page of the service does. */
  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<PageAnswer> {
    return this.send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  signIn(token: string | undefined, fields: Record<string, string> = {}): Promise<PageAnswer> {
    return this.post('/ui/sign-in', { token: token ?? '', ...fields });
  }

  cookie(name = 'sluice_session'): string | undefined {
    return this.cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  private async send(path: string, request: RequestInit & { headers: Record<string, string> }): Promise<PageAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...BROWSER, ...(cookie !== '' && { cookie }), ...request.headers };
    const response = await fetch(this.url + path, { ...request, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const to = response.headers.get('location') ?? '';
    return { status: response.status, headers: response.headers, text: await response.text(), to };
  }
}
