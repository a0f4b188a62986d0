import type { MergeMethod } from '../../../domain/code-host.port';

/** What was read of GitHub, before anything is checked. `no_answer`: nothing was found out, and why. */
export type Read<Fact> =
  | { readonly type: 'read'; readonly fact: Fact }
  | { readonly type: 'refused'; readonly status: number; readonly message: string }
  | { readonly type: 'no_answer'; readonly why: string };

export type Permissions = Readonly<Record<string, unknown>>;

export interface AppFacts {
  readonly name: string;
  /** The page where anybody installs it. */
  readonly page: string | null;
  /** The page where its owner changes it. */
  readonly settingsPage: string | null;
  readonly permissions: Permissions;
  readonly events: readonly string[];
}

export interface WebhookFacts {
  /** Empty: none. */
  readonly url: string;
  readonly contentType: string | null;
  readonly hasSecret: boolean;
}

export interface DeliveryFacts {
  readonly event: string;
  /** 0: nobody answered. */
  readonly statusCode: number;
}

export interface InstallationFacts {
  readonly page: string | null;
  readonly isSuspended: boolean;
  readonly permissions: Permissions;
}

export interface RepositoryFacts {
  readonly isArchived: boolean;
  /** Null: GitHub does not say. */
  readonly allowed: Readonly<Record<MergeMethod, boolean | null>>;
  /** Whether the token may push, where GitHub says so: for people's tokens. */
  readonly mayPush: boolean | null;
}

export interface RuleFacts {
  /** GitHub's word, such as `required_status_checks`. */
  readonly type: string;
  readonly parameters: unknown;
  /** What people find it by. */
  readonly ruleset: string;
  /** Whether it stops pushes of the service; null: GitHub does not say. */
  readonly stopsUs: boolean | null;
}

export interface BranchFacts {
  /** Classic protection, of which only the required statuses are shown to who does not administer the repository. */
  readonly hasClassicProtection: boolean;
}

export interface RateFacts {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date | null;
}
