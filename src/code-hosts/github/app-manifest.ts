import { APP_EVENTS, APP_PERMISSIONS, permissionsByName } from './app-permissions';

export interface AppOptions {
  /** The URL under which GitHub reaches the service, without a slash at the end. */
  readonly publicUrl: string;
  readonly name: string;
  /** The organization that owns the app; undefined if the app belongs to the person who makes it. */
  readonly organization?: string;
  /**
   * The URL of an Enterprise server, without a slash at the end; undefined for github.com. The host name in the URL is
   * the `host` in `SLUICE_HOSTS`.
   */
  readonly enterpriseUrl?: string;
}

const DESCRIPTION =
  'Merge queue: tests pull requests together with the pull requests ahead of them, and merges them when they pass.';

/** The app in the format of GitHub's manifest flow. */
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

/** GitHub's form for a new app with all fields filled in, except the webhook secret, which only a person can enter. */
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

/** The URL for deliveries. `host`: the name of the host in `SLUICE_HOSTS`. */
export function webhookUrlOf(publicUrl: string, host: string): string {
  return `${oldWebhookUrlOf(publicUrl)}/${host}`;
}

/** The webhook URL from before hosts had paths of their own. It still works. */
export function oldWebhookUrlOf(publicUrl: string): string {
  return `${publicUrl}/webhooks/github`;
}

function hostOf({ enterpriseUrl }: AppOptions): string {
  return enterpriseUrl === undefined ? 'github.com' : new URL(enterpriseUrl).host;
}

/** Whether GitHub could deliver to the URL at all: it cannot reach anybody's `localhost`. */
export function canBeReached(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return !/^(localhost|127\.|0\.0\.0\.0|\[::1?\]$)|\.localhost$/.test(hostname);
}
