import type { HostRepository } from '../../../domain/code-host.port';
import { type Finding, ok, problem, unknown } from '../../../domain/host-examination';
import { at, listAt, numberAt, textAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';
import { replyOrWhyNot } from '../../forge/client/host-answer';

export interface ExaminedDeliveries {
  readonly api: GitLabApi;
  readonly hasSecret: boolean;
  readonly pollSeconds: number;
}

export const PRIVATE_ADDRESSES =
  'GitLab delivers to private addresses only if an administrator allows this: Admin area, Settings, Network, Outbound requests.';
/** Fields of the triggers that a webhook must have, with their names on GitLab's settings page. */
export const TRIGGERS: Readonly<Record<string, string>> = {
  push_events: 'Push events',
  merge_requests_events: 'Merge request events',
  note_events: 'Comments',
  pipeline_events: 'Pipeline events',
  job_events: 'Job events',
};

/** Examines the webhook of a project. `wanted`: the URL that the webhook must have. */
export async function examineGitLabWebhook(
  { api, hasSecret, pollSeconds }: ExaminedDeliveries,
  about: string,
  repository: HostRepository,
  wanted: string,
): Promise<Finding> {
  const polls = `changes are found by polling, every ${pollSeconds} s`;
  if (!hasSecret) return ok(about, `no webhook secret is configured: ${polls}`);
  const hooks = await replyOrWhyNot(() => api.askAll(repository, 'hooks'));
  if (typeof hooks === 'string') return unknown(about, `whether there is a webhook: ${hooks}`);
  const hook = listAt(hooks.body).find((one) => textAt(one, 'url') === wanted);
  if (hook === undefined) {
    const way = `Add a webhook, unless the group has one. ${PRIVATE_ADDRESSES}`;
    return problem(about, `has no webhook to ${wanted}: ${polls}`, way);
  }
  const off = textAt(hook, 'alert_status');
  if (off === 'disabled' || off === 'temporarily_disabled') {
    const way = `Check the answers to its last deliveries, and test the webhook on its page. ${PRIVATE_ADDRESSES}`;
    return problem(about, 'GitLab has switched its webhook off after failures', way);
  }
  const missing = Object.keys(TRIGGERS).filter((field) => at(hook, field) === false);
  if (missing.length > 0) {
    const names = missing.map((field) => TRIGGERS[field]).join(', ');
    return problem(about, `its webhook does not send ${names}`, 'Select these triggers.');
  }
  return examineDelivery(api, about, repository, wanted, numberAt(hook, 'id'));
}

async function examineDelivery(
  api: GitLabApi,
  about: string,
  repository: HostRepository,
  wanted: string,
  hook: number | null,
): Promise<Finding> {
  const told = await replyOrWhyNot(() =>
    api.ask(repository, 'GET', `hooks/${hook ?? 0}/events`, { query: { per_page: 1 } }),
  );
  const last = typeof told === 'string' ? undefined : listAt(told.body)[0];
  const answer = textAt(last, 'response_status') ?? numberAt(last, 'response_status')?.toString() ?? null;
  if (answer === null)
    return ok(about, `its webhook is ${wanted}`, `GitLab does not say which deliveries arrived. ${PRIVATE_ADDRESSES}`);
  if (/^2\d\d$/.test(answer)) return ok(about, `its webhook is ${wanted}, and the last delivery arrived`);
  const way = `See its recent events. ${PRIVATE_ADDRESSES}`;
  return problem(about, `the last delivery of its webhook was answered: ${answer}`, way);
}
