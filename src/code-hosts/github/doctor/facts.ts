import type { MergeMethod } from '../../../domain/code-host.port';

/** A fact read from GitHub, before any check. `no_answer`: it could not be found out, and why. */
export type Read<Fact> =
  | { readonly type: 'read'; readonly fact: Fact }
  | { readonly type: 'refused'; readonly status: number; readonly message: string }
  | { readonly type: 'no_answer'; readonly why: string };

export type Permissions = Readonly<Record<string, unknown>>;

export interface AppFacts {
  readonly name: string;
  /** The page for installing the app. */
  readonly page: string | null;
  /** The page for changing the app, for its owner. */
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
  /** 0: no server answered. */
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
  /** Whether the token may push, if GitHub says so: only for tokens of people. */
  readonly mayPush: boolean | null;
}

export interface RuleFacts {
  /** GitHub's name for it, such as `required_status_checks`. */
  readonly type: string;
  readonly parameters: unknown;
  /** The name by which people find it. */
  readonly ruleset: string;
  /** Whether it stops pushes of the service; null: GitHub does not say. */
  readonly stopsUs: boolean | null;
}

export interface BranchFacts {
  /** Classic protection. People who do not administer the repository see only its required statuses. */
  readonly hasClassicProtection: boolean;
}

export interface RateFacts {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date | null;
}
