import { at, listAt, numberAt, textAt } from '../../reading';
import type {
  AppFacts,
  BranchFacts,
  DeliveryFacts,
  InstallationFacts,
  Permissions,
  RateFacts,
  RepositoryFacts,
  WebhookFacts,
} from './facts';

const MS = 1000;

/** The facts about an app. `web`: the URL of GitHub's pages, without a slash at the end. */
export function appIn(body: unknown, web: string): AppFacts {
  const slug = textAt(body, 'slug') ?? '';
  const owner = textAt(body, 'owner', 'login');
  const isOfOrganization = textAt(body, 'owner', 'type') === 'Organization';
  const place = isOfOrganization ? `/organizations/${owner}` : '';
  return {
    name: textAt(body, 'name') ?? slug,
    page: textAt(body, 'html_url'),
    settingsPage: slug === '' ? null : `${web}${place}/settings/apps/${slug}`,
    permissions: permissionsIn(body),
    events: listAt(body, 'events').map(String),
  };
}

export function webhookIn(body: unknown): WebhookFacts {
  const hasSecret = textAt(body, 'secret') !== null;
  return { url: textAt(body, 'url') ?? '', contentType: textAt(body, 'content_type'), hasSecret };
}

export function deliveriesIn(body: unknown): readonly DeliveryFacts[] {
  return listAt(body).map((one) => ({
    event: textAt(one, 'event') ?? 'unknown',
    statusCode: numberAt(one, 'status_code') ?? 0,
  }));
}

export function installationIn(body: unknown): InstallationFacts {
  const isSuspended = textAt(body, 'suspended_at') !== null;
  return { page: textAt(body, 'html_url'), isSuspended, permissions: permissionsIn(body) };
}

export function repositoryIn(body: unknown): RepositoryFacts {
  return {
    isArchived: at(body, 'archived') === true,
    allowed: {
      merge_commit: flagAt(body, 'allow_merge_commit'),
      squash: flagAt(body, 'allow_squash_merge'),
      rebase: flagAt(body, 'allow_rebase_merge'),
    },
    mayPush: flagAt(body, 'permissions', 'push'),
  };
}

export function branchIn(body: unknown): BranchFacts {
  return { hasClassicProtection: at(body, 'protected') === true && at(body, 'protection', 'enabled') === true };
}

export function rateIn(body: unknown): RateFacts {
  const reset = numberAt(body, 'resources', 'core', 'reset');
  return {
    limit: numberAt(body, 'resources', 'core', 'limit') ?? 0,
    remaining: numberAt(body, 'resources', 'core', 'remaining') ?? 0,
    resetsAt: reset === null ? null : new Date(reset * MS),
  };
}

function flagAt(body: unknown, ...path: readonly string[]): boolean | null {
  const found = at(body, ...path);
  return typeof found === 'boolean' ? found : null;
}

function permissionsIn(body: unknown): Permissions {
  const found = at(body, 'permissions');
  return typeof found === 'object' && found !== null ? (found as Permissions) : {};
}
