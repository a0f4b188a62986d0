declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly requests: readonly { readonly method: 'POST'; readonly body: string }[];
  }

  interface Result {
    readonly requests: { readonly average: number };
    readonly non2xx: number;
    /** By status. */
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
    readonly errors: number;
  }

  export = autocannon;
  function autocannon(options: Options): Promise<Result>;
}
