import { type Finding, ok, problem, unknown } from '../../../domain/host-examination';
import { canBeReached, oldWebhookUrlOf, webhookUrlOf } from '../app-manifest';
import type { DeliveryFacts, Read, WebhookFacts } from './facts';

export interface WebhookQuestion {
  readonly host: string;
  readonly publicUrl: string;
  readonly hasSecret: boolean;
  readonly pollSeconds: number;
}

const HTTP_UNAUTHORIZED = 401;
const HTTP_NOT_FOUND = 404;

/** Whether the host is set up so that deliveries arrive. */
export function usesWebhook({ hasSecret }: Pick<WebhookQuestion, 'hasSecret'>, webhook: Read<WebhookFacts>): boolean {
  return hasSecret || (webhook.type === 'read' && webhook.fact.url !== '');
}

export function checkWebhook(question: WebhookQuestion, webhook: Read<WebhookFacts>): readonly Finding[] {
  const { host, publicUrl, hasSecret, pollSeconds } = question;
  if (webhook.type !== 'read') {
    const why = webhook.type === 'no_answer' ? webhook.why : webhook.message;
    return [unknown(host, `the settings of the webhook: ${why}`)];
  }
  if (!usesWebhook(question, webhook)) {
    return [ok(host, `there is no webhook: changes are found by polling, every ${pollSeconds} s`)];
  }
  const { url, contentType, hasSecret: hasSecretThere } = webhook.fact;
  const wanted = webhookUrlOf(publicUrl, host);
  const isOld = url === oldWebhookUrlOf(publicUrl);
  const findings: Finding[] = [];
  const complain = (what: string, advice: string): number => findings.push(problem(host, what, advice));
  if (!canBeReached(publicUrl)) {
    complain(
      `SLUICE_PUBLIC_URL is ${publicUrl}, which GitHub cannot reach`,
      'Set SLUICE_PUBLIC_URL to an address that GitHub can reach, or remove the webhook on both sides.',
    );
  }
  if (url === '') complain('the app has no webhook', `Set its webhook to ${wanted}, and make it active.`);
  else if (url !== wanted && !isOld) {
    const advice =
      'Set the webhook to the address of the service, or set SLUICE_PUBLIC_URL to the address that GitHub can reach.';
    complain(`the webhook of the app is ${url}, and the service listens at ${wanted}`, advice);
  }
  if (url !== '' && contentType !== 'json') {
    complain('the webhook sends forms, not JSON', 'Choose application/json as its content type.');
  }
  if (!hasSecret) {
    complain('deliveries are refused: the service has no webhook secret', 'Set "webhookSecretFile" in SLUICE_HOSTS.');
  } else if (url !== '' && !hasSecretThere) {
    complain('the webhook has no secret', 'Set it to the secret in "webhookSecretFile" of SLUICE_HOSTS.');
  }
  if (findings.length > 0) return findings;
  const advice = isOld ? `It still works for the first GitHub host. Set it to ${wanted}.` : null;
  return [ok(host, `the webhook is ${url}, and both sides have a secret`, advice)];
}

/**
 * The finding about deliveries, of which the newest comes first. Only the newest delivery counts, because an earlier
 * failure may have been fixed since.
 */
export function checkDeliveries(host: string, deliveries: Read<readonly DeliveryFacts[]>): Finding {
  if (deliveries.type !== 'read') return unknown(host, 'whether deliveries arrive');
  const [newest, ...earlier] = deliveries.fact;
  if (newest === undefined) {
    return unknown(
      host,
      'whether deliveries arrive: GitHub has not sent any yet',
      'Write a comment on a pull request, and run the doctor again.',
    );
  }
  const failed = earlier.filter((delivery) => !hasArrived(delivery)).length;
  const ahead = `; of the ${earlier.length} before it ${failed} did not`;
  if (hasArrived(newest)) return ok(host, `the newest delivery (${newest.event}) arrived${failed > 0 ? ahead : ''}`);
  const answer = newest.statusCode === 0 ? 'was not answered' : `was answered with ${newest.statusCode}`;
  return problem(host, `the newest delivery (${newest.event}) ${answer}`, adviceFor(newest.statusCode));
}

function hasArrived({ statusCode }: DeliveryFacts): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function adviceFor(statusCode: number): string {
  switch (statusCode) {
    case 0:
      return 'Check whether GitHub can reach the address: DNS, certificate, firewall. "Recent Deliveries" of the app says more.';
    case HTTP_UNAUTHORIZED:
      return 'The two secrets differ: set the secret of the app to the secret in "webhookSecretFile" of SLUICE_HOSTS.';
    case HTTP_NOT_FOUND:
      return 'Another server answers at this address: check the path, and the proxy in front of the service.';
    default:
      return 'See "Recent Deliveries" of the app, and the log of the service.';
  }
}
