import { APP_EVENTS, APP_PERMISSIONS, permissionsByName } from './app-permissions';

export interface AppOptions {
  /** Of the service, as GitHub reaches it; without a slash at the end. */
  readonly publicUrl: string;
  readonly name: string;
  /** Undefined: the app belongs to the person who makes it. */
  readonly organization?: string;
  /** Of an Enterprise server, without a slash at the end; undefined: github.com. Its host is the `host` in `SLUICE_HOSTS`. */
  readonly enterpriseUrl?: string;
}

const DESCRIPTION = 'Merge queue: tests pull requests together with what is ahead of them, and merges what passed.';

/** The app as GitHub's manifest flow takes it. */
export function appManifest(options: AppOptions): Record<string, unknown> {
  const { publicUrl, name } = options;
  return {
    name,
    url: publicUrl,
    description: DESCRIPTION,
    public: false,
    redirect_url: `${publicUrl}/docs`,
    hook_attributes: { url: webhookUrlOf(publicUrl, hostOf(options)), active: canBeReached(publicUrl) },
    default_permissions: permissionsByName(),
    default_events: APP_EVENTS.map((event) => event.name),
  };
}

/** GitHub's form for a new app with everything filled in but the webhook secret, which it takes from nobody but a person. */
export function prefilledForm(options: AppOptions): string {
  const { publicUrl, name, organization, enterpriseUrl = 'https://github.com' } = options;
  const query = new URLSearchParams({ name, url: publicUrl, description: DESCRIPTION, public: 'false' });
  const isReachable = canBeReached(publicUrl);
  query.set('webhook_active', String(isReachable));
  if (isReachable) query.set('webhook_url', webhookUrlOf(publicUrl, hostOf(options)));
  for (const permission of APP_PERMISSIONS) query.set(permission.name, permission.level);
  if (isReachable) for (const event of APP_EVENTS) query.append('events[]', event.name);
  const owner = organization === undefined ? '' : `/organizations/${encodeURIComponent(organization)}`;
  return `${enterpriseUrl}${owner}/settings/apps/new?${query.toString()}`;
}

/** `host`: as `SLUICE_HOSTS` names it. */
export function webhookUrlOf(publicUrl: string, host: string): string {
  return `${oldWebhookUrlOf(publicUrl)}/${host}`;
}

/** Where deliveries came before hosts had paths of their own; it goes on working. */
export function oldWebhookUrlOf(publicUrl: string): string {
  return `${publicUrl}/webhooks/github`;
}

function hostOf({ enterpriseUrl }: AppOptions): string {
  return enterpriseUrl === undefined ? 'github.com' : new URL(enterpriseUrl).host;
}

/** Whether GitHub could deliver there at all; it cannot see whose machine `localhost` is. */
export function canBeReached(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return !/^(localhost|127\.|0\.0\.0\.0|\[::1?\]$)|\.localhost$/.test(hostname);
}
