import ts from 'typescript';
import { filesIn, readDocument } from './documents';

/**
 * Places, other than the log, where a person learns of an error. `pullRequest`: the pull request's record, page and
 * comment, and webhooks about it.
 */
interface Told {
  readonly metric?: string;
  readonly alert?: string;
  /** A reason of the webhook event `queue_red`. */
  readonly webhook?: string;
  /** The condition that pages and getQueuePicture show. */
  readonly condition?: string;
  readonly doctor?: string;
  readonly pullRequest?: string;
  readonly answer?: string;
  /** The error appears in the log only, because no decision about a pull request depends on it. */
  readonly logOnly?: string;
}

/** Errors of a worker pool while it looks for work. */
const POOL = { alert: 'SluiceBacklogOld', metric: 'sluice_backlog_oldest_seconds' } as const;

const TOLD: Readonly<Record<string, Told>> = {
  'processing/decisions/queue-scheduler.ts: A decision of queue … failed, … in a row': {
    metric: 'sluice_queue_failures_total',
    alert: 'SluiceQueueFailing',
    webhook: 'cannot_decide',
    condition: 'failedDecisions',
    doctor: 'the queue is blocked: decisions that failed in a row: …',
  },
  'processing/decisions/queue-scheduler.ts: ': { alert: 'SluiceDecisionsLate', metric: 'sluice_decision_lag_seconds' },
  'processing/outbox/outbox.worker.ts: … is given up: …': {
    metric: 'sluice_outbox_tasks_given_up_total',
    alert: 'SluiceTasksGivenUp',
    pullRequest: 'it fails or waits with these words: the handler of the task gives the queue an outcome',
  },
  'processing/outbox/outbox.worker.ts: … failed': {
    ...POOL,
    pullRequest: 'its page says what it waits for: the task keeps the problem',
  },
  'processing/outbox/outbox.worker.ts: ': POOL,
  'processing/inbox/inbox.ts: ': POOL,
  'processing/inbox/inbox.worker.ts: A host event could not be processed': POOL,
  'processing/notifications/webhook.worker.ts: ': POOL,
  'code-hosts/git/check-runner/check-runner.ts: ': POOL,
  'code-hosts/git/check-runner/check-runner.ts: … could not be run in … attempts': {
    pullRequest: 'the check fails, and its log says why',
  },
  'code-hosts/git/check-runner/check-runner.ts: The check in … left files that cannot be removed': {
    logOnly: 'its result counts, and the next start of the service tries again',
  },
  'code-hosts/repository-identities.ts: … was renamed to …, but that name is registered already': {
    pullRequest: 'each read of the old name is refused with the words of the code host',
    doctor: 'is not the registered repository, which was renamed, moved or deleted',
  },
  'modules/attestations/attestation-keeper.ts: Merges into … of queue … could not be signed': {
    metric: 'sluice_unsigned_merges',
    doctor: 'merges have no statement',
  },
  'extensions/listener.worker.ts: …: …': { metric: 'sluice_listener_failures_total' },
  'extensions/listener.worker.ts: The listener … failed at …, … times in a row; the next attempt is in … s': {
    metric: 'sluice_listener_failures_total',
  },
  'platform/error.filter.ts: ': { answer: 'an id of the request', alert: 'SluiceRequestsFail' },
  'platform/lifecycle/lifecycle.ts: … did not stop cleanly': { logOnly: 'the process ends, and others go on' },
  'platform/background/background-scheduler.ts: The background job "…" failed': {
    metric: 'sluice_backlog_oldest_seconds',
    alert: 'SluiceDecisionsLate',
  },
  'processing/forecasts/forecast-keeper.ts: The forecasts of queue … could not be brought up to date': {
    logOnly: 'a forecast is no promise',
  },
  "processing/decisions/pull-request-log-writer.ts: A line of a queue's log (…) cannot be formatted, and is skipped: …":
    {
      logOnly: 'it is about the log itself; the record of the pull request has the line',
    },
};

/** Calls of `logger.error`, and of `DatabaseOutage.report` with an error, as `file: message`. */
function errorLines(): readonly string[] {
  const files = filesIn('src', '.ts').filter(
    (path) => !path.endsWith('.spec.ts') && !path.includes('/database-outage.'),
  );
  return [...new Set(files.flatMap((path) => linesIn(path).map((line) => `${path.replace(/^src\//, '')}: ${line}`)))];
}

function linesIn(path: string): readonly string[] {
  const text = readDocument(path);
  if (!/logger|outage/i.test(text)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push(...lineOf(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

function lineOf(call: ts.CallExpression): readonly string[] {
  const callee = call.expression.getText();
  if (/\blogger\??\.error$/i.test(callee)) return [messageOf(call.arguments[0])];
  if (!/\boutage\.report$/.test(callee) || call.arguments[3]?.getText() === "'warn'") return [];
  return [messageOf(call.arguments[1])];
}

/** The message with `…` for each inserted value; empty when the whole message is a value. */
function messageOf(message: ts.Expression | undefined): string {
  if (message === undefined) return '';
  if (ts.isStringLiteralLike(message)) return message.text;
  if (ts.isTemplateExpression(message))
    return [message.head, ...message.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…');
  if (!ts.isObjectLiteralExpression(message)) return '';
  const property = message.properties.find((one) => one.name?.getText() === 'message');
  return property && ts.isPropertyAssignment(property) ? messageOf(property.initializer) : '';
}

describe('Errors that the service logs', () => {
  it('are all listed in this spec, each with the places that report the error', () => {
    expect([...errorLines()].sort()).toEqual(Object.keys(TOLD).sort());
  });

  it.each(Object.entries(TOLD))('are named in docs, alerts and doctor as this spec lists: %s', (_line, told) => {
    const places: readonly (readonly [said: string | undefined, where: string])[] = [
      [told.metric, readDocument('docs/metrics.md')],
      [told.alert, readDocument('docker/prometheus/alerts.yml')],
      [told.webhook, readDocument('docs/webhooks.md')],
      [told.condition, readDocument('src/modules/views/queue-conditions.dto.ts')],
      [told.doctor?.replace('…', '${'), sourcesOfFindings()],
    ];
    const unsaid = places.filter(([said, where]) => said !== undefined && !where.includes(said));
    expect([Object.keys(told).length > 0, unsaid.map(([said]) => said)]).toEqual([true, []]);
  });

  it('reach page, webhook, metric, alert and doctor if they report a failed decision', () => {
    const about = Object.entries(TOLD).filter(([line]) => /: .*decision/i.test(line));
    for (const [, told] of about)
      expect(Object.keys(told).sort()).toEqual(['alert', 'condition', 'doctor', 'metric', 'webhook']);
    expect(about).toHaveLength(1);
  });
});

/** The sources with the doctor's findings, including the findings about code hosts. */
function sourcesOfFindings(): string {
  return [...filesIn('src/modules/doctor', '.ts'), ...filesIn('src/code-hosts', '.ts')].map(readDocument).join('\n');
}
