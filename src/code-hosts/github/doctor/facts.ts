import type { MergeMethod } from '../../../domain/code-host.port';

/** A fact as it was read from GitHub, before any check. `no_answer`: the fact could not be found out, and why. */
export type Read<Fact> =
  | { readonly type: 'read'; readonly fact: Fact }
  | { readonly type: 'refused'; readonly status: number; readonly message: string }
  | { readonly type: 'no_answer'; readonly why: string };

export type Permissions = Readonly<Record<string, unknown>>;

export interface AppFacts {
  readonly name: string;
  /** The URL of the page for installing the app. */
  readonly page: string | null;
  /** The URL of the page on which the owner changes the app. */
  readonly settingsPage: string | null;
  readonly permissions: Permissions;
  readonly events: readonly string[];
}

export interface WebhookFacts {
  /** The URL of the webhook; empty if it has none. */
  readonly url: string;
  readonly contentType: string | null;
  readonly hasSecret: boolean;
}

export interface DeliveryFacts {
  readonly event: string;
  /** The status of the answer to the delivery; 0 if no server answered. */
  readonly statusCode: number;
}

export interface InstallationFacts {
  readonly page: string | null;
  readonly isSuspended: boolean;
  readonly permissions: Permissions;
}

export interface RepositoryFacts {
  readonly isArchived: boolean;
  /** For each merge method, whether the repository allows it; null if GitHub does not say. */
  readonly allowed: Readonly<Record<MergeMethod, boolean | null>>;
  /** Whether the token may push; null if GitHub does not say, which it does only for tokens of people. */
  readonly mayPush: boolean | null;
}

export interface RuleFacts {
  /** GitHub's name for the type of the rule, such as `required_status_checks`. */
  readonly type: string;
  readonly parameters: unknown;
  /** The name of the ruleset, by which people find it. */
  readonly ruleset: string;
  /** Whether the rule stops pushes of the service; null if GitHub does not say. */
  readonly stopsUs: boolean | null;
}

export interface BranchFacts {
  /**
   * Whether the branch has classic protection. People who do not administer the repository see only the required
   * statuses of the protection.
   */
  readonly hasClassicProtection: boolean;
}

export interface RateFacts {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date | null;
}
