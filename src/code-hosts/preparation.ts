import type { HostConfig } from '../platform/config/config';
import type { RepositoryPath } from './repository-path';

/**
 * A requirement of a repository, and what became of it. `left`: somebody else must meet it, because the service may
 * not.
 */
export interface Preparation {
  readonly outcome: 'done' | 'was so' | 'to do' | 'left';
  readonly what: string;
  readonly advice: string | null;
}

export interface PreparationWanted {
  readonly config: Omit<HostConfig, 'pollSeconds'>;
  readonly repository: RepositoryPath;
  readonly publicUrl: string;
  readonly brand: string;
  /** The target branch. Null for the default branch of the repository. */
  readonly branch: string | null;
  /** Whether a target branch without a protection rule gets one. */
  readonly protects: boolean;
  /** Logins that keep the host's merge button when `protects` takes it from everybody else. */
  readonly keepsButton: readonly string[];
  /** Whether the preparation only reports, and changes nothing. */
  readonly isDryRun: boolean;
}

/** Thrown if the host or the repository does not exist. */
export class NothingToPrepare extends Error {
  override readonly name = 'NothingToPrepare';
}

export function leftToDo(what: string, advice: string): Preparation {
  return { outcome: 'left', what, advice };
}

export function wasSo(what: string, advice: string | null = null): Preparation {
  return { outcome: 'was so', what, advice };
}

/** The label that submits a pull request. */
export function submitLabelOf(brand: string): string {
  return `${brand}-merge-queue-submit`;
}

/** Why a host cannot deliver webhooks to the service, with advice; null if it can. */
export function whyNoWebhook(publicUrl: string, hasSecret: boolean): Preparation | null {
  const looks = 'so the service polls every few seconds';
  if (!hasSecret) {
    const what = `no webhook: no webhookSecret is configured, ${looks}`;
    return leftToDo(what, 'Set webhookSecretFile of the host, and run this again.');
  }
  const isOnlyHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(publicUrl).hostname);
  if (!isOnlyHere) return null;
  return leftToDo(
    `no webhook: the code host cannot reach ${publicUrl}, ${looks}`,
    'Set SLUICE_PUBLIC_URL, and run this again.',
  );
}
