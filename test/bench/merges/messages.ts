/** Messages to a process of the service. Queues are numbered from 0. */
export type Told =
  /** `signs`: if false, merges are signed only on the message `sign`. */
  | { readonly type: 'open'; readonly database: 'new' | 'as it is'; readonly queues: number; readonly signs: boolean }
  | { readonly type: 'submit'; readonly queue: number; readonly number: number }
  | { readonly type: 'passed'; readonly queue: number; readonly commit: string }
  | { readonly type: 'sign' }
  | { readonly type: 'figures' };

/** Figures of committed decisions since the start of the process. */
export interface Figures {
  readonly decisions: number;
  readonly decisionSeconds: number;
}

export type Said =
  | { readonly type: 'open' }
  | { readonly type: 'signed' }
  | { readonly type: 'figures'; readonly figures: Figures }
  | { readonly type: 'failed'; readonly message: string };
