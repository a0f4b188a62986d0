import { created, GitHubRefusal, notFound, ok, type Answer } from '../answers';
import { pageOf, type PlainRoute, type RouteRequest } from '../router';
import { userShape } from '../shapes/account';
import { installationShape } from '../shapes/installation';
import { repositoryShape } from '../shapes/repository';
import { appShape } from '../shapes/results';
import { ACTIONS_APP, type AppPermissions, type GitHubState, type Installation } from '../state';
import type { WebhookDelivery } from '../webhooks';
import { timeShape } from '../shapes/time';

export const APP_ROUTES: readonly PlainRoute[] = [
  {
    operation: 'apps/get-authenticated',
    method: 'GET',
    path: '/app',
    for: 'app',
    handle: ({ state }) => {
      const [installation] = state.installations.values();
      const permissions = state.registered ?? installation?.permissions ?? {};
      const count = state.installations.size;
      return ok({ ...appShape(state, state.app), permissions, events: state.events, installations_count: count });
    },
  },
  {
    operation: 'apps/get-by-slug',
    method: 'GET',
    path: '/apps/{app_slug}',
    for: 'anybody',
    handle: ({ state, parameters }) => {
      const published = [state.app, ACTIONS_APP, ...state.otherApps.values()];
      const app = published.find(({ slug }) => slug === parameters.app_slug);
      if (app === undefined) throw notFound();
      const permissions = state.otherApps.get(app.slug)?.permissions;
      return ok({ ...appShape(state, app), ...(permissions && { permissions }) });
    },
  },
  {
    operation: 'apps/get-repo-installation',
    method: 'GET',
    path: '/repos/{owner}/{repo}/installation',
    for: 'app',
    handle: ({ state, parameters }) => {
      const repository = state.findRepository(parameters.owner ?? '', parameters.repo ?? '');
      const installation = repository === null ? null : state.installationOf(repository.owner);
      if (installation === null) throw notFound();
      return ok(installationShape(state, installation));
    },
  },
  {
    operation: 'apps/create-installation-access-token',
    method: 'POST',
    path: '/app/installations/{installation_id}/access_tokens',
    for: 'app',
    handle: issueToken,
  },
  {
    operation: 'apps/get-webhook-config-for-app',
    method: 'GET',
    path: '/app/hook/config',
    for: 'app',
    handle: ({ state: { webhooks } }) => {
      const secret = webhooks.secret === '' ? {} : { secret: '********' };
      return ok({ content_type: 'json', insecure_ssl: '0', ...secret, url: webhooks.url ?? '' });
    },
  },
  {
    operation: 'apps/list-webhook-deliveries',
    method: 'GET',
    path: '/app/hook/deliveries',
    for: 'app',
    handle: listDeliveries,
  },
  {
    operation: 'users/get-authenticated',
    method: 'GET',
    path: '/user',
    for: 'anybody',
    handle: readOwnAccount,
  },
  {
    operation: 'rate-limit/get',
    method: 'GET',
    path: '/rate_limit',
    for: 'anybody',
    handle: ({ limits, caller }) => {
      const core = limits.read(caller);
      const search = { limit: 30, used: 0, remaining: 30, reset: core.reset };
      return ok({ resources: { core, search }, rate: core });
    },
  },
];

function readOwnAccount({ state, caller }: RouteRequest): Answer {
  if (caller.type === 'anonymous') throw new GitHubRefusal(401, 'Requires authentication');
  if (caller.type !== 'user') throw new GitHubRefusal(403, 'Resource not accessible by integration');
  return ok(userShape(state, caller.account));
}

function issueToken({ state, tokens, parameters, body }: RouteRequest): Answer {
  const installation = state.installations.get(Number(parameters.installation_id));
  if (installation === undefined) throw notFound();
  const permissions = (body.permissions ?? installation.permissions) as AppPermissions;
  for (const [name, level] of Object.entries(permissions)) {
    const granted = installation.permissions[name];
    if (granted === undefined || (granted === 'read' && level === 'write')) {
      throw new GitHubRefusal(422, 'The permissions requested are not granted to this installation.');
    }
  }
  const repositories = chosenRepositories(state, installation, body);
  const token = tokens.issue(installation, permissions, repositories);
  return created({
    token: token.token,
    expires_at: timeShape(token.expiresAt),
    permissions,
    repository_selection: repositories === null ? 'all' : 'selected',
    ...(repositories === null
      ? {}
      : {
          repositories: [...state.repositories.values()]
            .filter(({ id }) => repositories.includes(id))
            .map((one) => repositoryShape(state, one)),
        }),
  });
}

function chosenRepositories(
  state: GitHubState,
  { account }: Installation,
  { repositories, repository_ids }: RouteRequest['body'],
): readonly number[] | null {
  if (!Array.isArray(repositories) && !Array.isArray(repository_ids)) return null;
  const names = Array.isArray(repositories) ? repositories.map(String) : [];
  const ids = Array.isArray(repository_ids) ? repository_ids.map(Number) : [];
  const found = [...names.map((name) => state.findRepository(account.login, name)?.id), ...ids];
  if (found.some((id) => id === undefined)) {
    const why = 'There is at least one repository that does not exist or is not accessible to the parent installation.';
    throw new GitHubRefusal(422, why);
  }
  return found.filter((id) => id !== undefined);
}

function listDeliveries(request: RouteRequest): Answer {
  const { webhooks } = request.state;
  const wanted = request.query.get('status');
  const sent = webhooks.deliveries.filter((delivery) => {
    if (delivery.statusCode === null) return false;
    return wanted === null || (wanted === 'success') === isSuccess(delivery);
  });
  const { items } = pageOf(request, [...sent].reverse());
  return ok(
    items.map((delivery) => ({
      id: delivery.id,
      guid: delivery.guid,
      delivered_at: timeShape(delivery.deliveredAt),
      redelivery: delivery.redelivery,
      duration: 0.1,
      status: isSuccess(delivery)
        ? 'OK'
        : delivery.statusCode === 0
          ? 'failed to connect to host'
          : 'Invalid HTTP Response',
      status_code: delivery.statusCode,
      event: delivery.event,
      action: delivery.action,
      installation_id: delivery.installationId,
      repository_id: delivery.repositoryId,
      throttled_at: null,
    })),
  );
}

function isSuccess({ statusCode }: WebhookDelivery): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}
