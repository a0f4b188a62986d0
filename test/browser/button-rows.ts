import type { Page } from 'playwright-core';
import type { AuditItem } from '../../src/modules/audit/dto/audit.dto';
import type { QueueOfTeam } from './team';

/** The pages whose buttons are pressed. */
export interface ButtonPlaces {
  readonly queue: QueueOfTeam;
  readonly settings: string;
  /** The URL paths of two pages: the page of a test, and the page of a webhook. */
  readonly test: string;
  readonly webhook: string;
}

export interface ButtonRow {
  readonly name: string;
  /** The URL path to which the button's form is sent. */
  readonly action: string;
  /** The URL path of the page with the button. */
  readonly at: (places: ButtonPlaces) => string;
  readonly press: (page: Page) => Promise<void>;
  /** Text of the page that follows the press. */
  readonly says: string;
  /** The row that the press adds to the audit log; null if the button changes nothing. */
  readonly audit: Pick<AuditItem, 'action' | 'from' | 'to'> | null;
  /** Set if a second sending of the form has its effect again, because that is harmless. */
  readonly repeats?: true;
}

const open = (page: Page, text: string) => page.click(`summary:text-is("${text}")`);
const press = (page: Page, text: string) => page.click(`button:text-is("${text}")`);
const inQueue = ({ queue }: ButtonPlaces) => queue.path;
const inSettings = ({ settings }: ButtonPlaces) => settings;
const inWebhook = ({ webhook }: ButtonPlaces) => webhook;
const of =
  (number: number) =>
  ({ queue }: ButtonPlaces) =>
    queue.pathOf(number);

/**
 * Every button that sends something, in an order in which each can be pressed: 1 is under test, 2 and 3 wait, 4 is not
 * submitted.
 */
export const BUTTON_ROWS: readonly ButtonRow[] = [
  {
    ...{ name: 'Submit', action: '/ui/queue/submit', at: inQueue, says: 'Submitted.' },
    async press(page) {
      await open(page, 'Submit…');
      await page.fill('#submit-number', '4');
      await page.selectOption('#submit-priority', 'low');
      await press(page, 'Submit');
    },
    audit: { action: 'pull_request.submitted', from: null, to: { priority: 200 } },
  },
  {
    ...{ name: 'Change the priority', action: '/ui/pull-request/submit', at: of(2), says: 'Submitted.' },
    async press(page) {
      await open(page, 'Priority…');
      await page.selectOption('#priority', 'low');
      await press(page, 'Change the priority');
    },
    audit: { action: 'pull_request.submitted', from: { priority: 100 }, to: { priority: 200 } },
  },
  {
    ...{ name: 'Put first', action: '/ui/pull-request/promote', at: of(4), says: 'Moved ahead of all waiting' },
    press: (page) => press(page, 'Put first'),
    audit: { action: 'pull_request.promoted', from: { state: 'pending' }, to: { state: 'pending' } },
    repeats: true,
  },
  {
    ...{ name: 'Test again', action: '/ui/pull-request/restart', at: of(1), says: 'The tests run again.' },
    press: (page) => press(page, 'Test again'),
    audit: { action: 'pull_request.restarted', from: { state: 'testing' }, to: {} },
  },
  {
    ...{ name: 'Cancel', action: '/ui/pull-request/cancel', at: of(3), says: 'Removed from the queue.' },
    async press(page) {
      await open(page, 'Cancel…');
      await press(page, 'Cancel #3');
    },
    audit: { action: 'pull_request.cancelled', from: { state: 'pending' }, to: { state: 'cancelled' } },
  },
  {
    ...{ name: 'Submit again', action: '/ui/pull-request/submit', at: of(3), says: 'Submitted.' },
    async press(page) {
      await open(page, 'Submit again…');
      await press(page, 'Submit #3');
    },
    audit: { action: 'pull_request.submitted', from: { state: 'cancelled' }, to: {} },
  },
  {
    ...{ name: 'Drain', action: '/ui/queue/pause', at: inQueue, says: 'release day' },
    async press(page) {
      await open(page, 'Pause…');
      await page.fill('#pause-reason', 'release day');
      await page.selectOption('#pause-state', 'draining');
      await press(page, 'Pause the queue');
    },
    audit: { action: 'queue.updated', from: { state: 'running' }, to: { state: 'draining' } },
  },
  {
    ...{ name: 'Resume', action: '/ui/queue/resume', at: inQueue, says: 'Resumed.' },
    press: (page) => press(page, 'Resume'),
    audit: { action: 'queue.updated', from: { state: 'draining' }, to: { state: 'running' } },
  },
  {
    ...{ name: 'Pause', action: '/ui/queue/pause', at: inQueue, says: 'an incident' },
    async press(page) {
      await open(page, 'Pause…');
      await page.fill('#pause-reason', 'an incident');
      await press(page, 'Pause the queue');
    },
    audit: { action: 'queue.updated', from: { state: 'running' }, to: { state: 'paused' } },
  },
  {
    ...{ name: 'What would have happened?', action: '/ui/settings/preview', at: inSettings, says: 'as it is' },
    async press(page) {
      await page.fill('#s-concurrency', '7');
      await press(page, 'What would have happened?');
    },
    audit: null,
  },
  {
    ...{ name: 'Save', action: '/ui/settings', at: inSettings, says: 'Saved.' },
    async press(page) {
      await page.fill('#s-concurrency', '3');
      await press(page, 'Save');
    },
    audit: { action: 'queue.updated', from: { concurrency: 1 }, to: { concurrency: 3 } },
  },
  {
    ...{ name: 'Delete a queue that holds something', action: '/ui/settings/delete', at: inSettings },
    says: 'Nothing was changed.',
    async press(page) {
      await open(page, 'Delete the queue…');
      await press(page, 'Delete the queue');
    },
    audit: null,
  },
  {
    ...{
      name: 'Cancel all',
      action: '/ui/queue/empty',
      at: inQueue,
      says: 'All pull requests that can be cancelled were removed',
    },
    async press(page) {
      await open(page, 'Cancel all…');
      await press(page, 'Cancel all');
    },
    audit: { action: 'queue.all_cancelled', from: null, to: {} },
  },
  {
    ...{ name: 'Delete the queue', action: '/ui/settings/delete', at: inSettings, says: 'The queue was deleted.' },
    async press(page) {
      await open(page, 'Delete the queue…');
      await press(page, 'Delete the queue');
    },
    audit: { action: 'queue.deleted', from: {}, to: null },
  },
  {
    ...{ name: 'New queue', action: '/ui/queues/create', at: () => '/ui', says: 'The queue was created' },
    async press(page) {
      await open(page, 'New queue…');
      await page.fill('#queue-repo', 'memory.example/acme/storefront');
      await page.fill('#queue-statuses', 'unit, lint');
      await press(page, 'Create the queue');
    },
    audit: { action: 'queue.created', from: null, to: { requiredStatuses: ['unit', 'lint'] } },
  },
  {
    ...{ name: 'Quarantine', action: '/ui/tests/quarantine', at: ({ test }) => test, says: 'Set, and in force' },
    async press(page) {
      await open(page, 'Quarantine…');
      await page.selectOption('#quarantine-setting', 'always_quarantine');
      await page.fill('#quarantine-reason', 'waits for the new gallery');
      await press(page, 'Set quarantine');
    },
    audit: {
      action: 'quarantine.set',
      from: { setting: 'unspecified' },
      to: { setting: 'always_quarantine', reason: 'waits for the new gallery' },
    },
    repeats: true,
  },
  {
    ...{ name: 'New webhook', action: '/ui/webhooks/create', at: () => '/ui/webhooks', says: 'whsec_' },
    async press(page) {
      await open(page, 'New webhook…');
      await page.fill('#webhook-name', 'deploy bot');
      await page.fill('#webhook-url', 'https://hooks.example/a/long/and/secret/path');
      await page.check('[id="event.merged"]');
      await press(page, 'Create the webhook');
    },
    audit: { action: 'webhook.created', from: null, to: { kind: 'webhook', events: ['merged'] } },
  },
  {
    ...{ name: 'Send a test', action: '/ui/webhooks/test', at: inWebhook, says: 'The test is being sent.' },
    press: (page) => press(page, 'Send a test'),
    audit: { action: 'webhook.tested', from: null, to: { deliveries: 1 } },
    repeats: true,
  },
  {
    ...{ name: 'New secret', action: '/ui/webhooks/rotate', at: inWebhook, says: 'whsec_' },
    async press(page) {
      await open(page, 'New secret…');
      await press(page, 'Rotate the secret');
    },
    audit: { action: 'webhook.rotated', from: null, to: {} },
  },
  {
    ...{
      name: 'Send failed ones again',
      action: '/ui/webhooks/redeliver-failed',
      at: inWebhook,
      says: 'being sent again',
    },
    async press(page) {
      await open(page, 'Resend failed deliveries…');
      await page.selectOption('#webhook-hours', '168');
      await press(page, 'Resend deliveries');
    },
    audit: { action: 'webhook.redelivered', from: null, to: { deliveries: 1 } },
  },
  {
    ...{ name: 'Send a delivery again', action: '/ui/webhooks/redeliver', at: inWebhook, says: 'being sent again' },
    press: (page) => press(page, 'Send again'),
    audit: { action: 'webhook.redelivered', from: null, to: { deliveries: 1 } },
    repeats: true,
  },
  {
    ...{ name: 'Change a webhook', action: '/ui/webhooks/update', at: inWebhook, says: 'Saved.' },
    async press(page) {
      await open(page, 'Change…');
      await page.fill('#webhook-description', 'tells the shop');
      await page.uncheck('[id="event.testing"]');
      await press(page, 'Change the webhook');
    },
    audit: { action: 'webhook.updated', from: { description: '' }, to: { description: 'tells the shop' } },
  },
  {
    ...{ name: 'Pause a webhook', action: '/ui/webhooks/pause', at: inWebhook, says: 'Paused. Each event is kept' },
    press: (page) => press(page, 'Pause'),
    audit: { action: 'webhook.updated', from: { paused: false }, to: { paused: true } },
  },
  {
    ...{ name: 'Delete a webhook', action: '/ui/webhooks/delete', at: inWebhook, says: 'The webhook was deleted' },
    async press(page) {
      await open(page, 'Delete…');
      await press(page, 'Delete the webhook');
    },
    audit: { action: 'webhook.deleted', from: { kind: 'webhook' }, to: null },
  },
];
