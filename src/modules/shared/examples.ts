/** Requests that work against the demo. /openapi.json shows them as examples. */
export const DEMO_REPOSITORY = { host: 'local', owner: 'demo', name: 'widgets' } as const;
export const DEMO_QUEUE = { repo: DEMO_REPOSITORY, targetBranch: 'main' } as const;
export const DEMO_PULL_REQUEST = { ...DEMO_QUEUE, pr: { number: 1 } } as const;
/** The demo leaves these pull requests open, so that readers can submit one. */
export const DEMO_OPEN_PULL_REQUEST = { ...DEMO_QUEUE, pr: { number: 11 } } as const;
export const DEMO_URGENT_PULL_REQUEST = {
  ...DEMO_QUEUE,
  pr: { number: 12 },
  priority: 'urgent',
  noBatch: true,
} as const;
export const DEMO_COMMIT = '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49';
