import { z } from 'zod';
import type { PictureAnswer, QueueListAnswer } from '../picture-answers';
import { quotedSentence } from './others-text';
import { aboutQueue, QUEUE, readingTool, REPOSITORY_FIELD, repositoryOf, takeOf, type Tool } from './tool';

const MOST_QUEUES = 100;
const MOST_WAITING = 50;
const USUAL_WAITING = 20;
const MOST_DAYS = 92;

const NEXT_PAGE = z.string().max(200).optional().describe('nextCursor of the page before; absent: the first page.');

interface HistoryAnswer {
  readonly days: readonly object[];
  readonly total: { readonly mergedCount: number; readonly failedCount: number; readonly cancelledCount: number };
}

const listQueues = readingTool({
  name: 'list_queues',
  title: 'List merge queues',
  description:
    'Every merge queue that the token can see: state, test runs in progress, waiting pull requests, what needs attention.',
  input: {
    repository: REPOSITORY_FIELD.optional().describe('Only queues of this repository, as host/owner/name.'),
    cursor: NEXT_PAGE,
    take: takeOf(MOST_QUEUES, MOST_QUEUES, 'queues'),
  },
  async work({ repository, cursor, take }, { api }) {
    const repo = repository === undefined ? {} : { repo: repositoryOf(repository) };
    const data = await api.post<QueueListAnswer>('listQueues', { ...repo, ...(cursor && { cursor }), take });
    const held = data.queues.filter(({ state }) => state !== 'running').length;
    const more = data.nextCursor === undefined ? '' : ' There are more queues: ask again with nextCursor.';
    return { data, sentence: `${counted(data.queues.length, 'queue')}, ${held} of them not running.${more}` };
  },
});

const showQueue = readingTool({
  name: 'show_queue',
  title: 'Show a merge queue',
  description:
    'The current state of a merge queue: branch tip, test runs and bisections. Also waiting pull requests with the reason, and removed pull requests of the last 24 hours.',
  input: { ...QUEUE, cursor: NEXT_PAGE, take: takeOf(MOST_WAITING, USUAL_WAITING, 'waiting pull requests') },
  async work({ cursor, take, ...queue }, { api }) {
    const request = { ...aboutQueue(queue), ...(cursor && { cursor }), take };
    const data = await api.post<PictureAnswer>('getQueuePicture', request);
    return { data, sentence: sentenceOf(data) };
  },
});

const queueHistory = readingTool({
  name: 'get_queue_history',
  title: 'History of a merge queue by day',
  description:
    'The history of a merge queue by day, in UTC: merged, failed and cancelled pull requests, time in the queue, test runs, and why pull requests did not merge.',
  input: {
    ...QUEUE,
    days: takeOf(MOST_DAYS, 7, 'days'),
    until: z.iso.date().optional().describe('The last day, such as 2026-11-22; absent: today.'),
  },
  async work({ days, until, ...queue }, { api }) {
    const request = { ...aboutQueue(queue), take: days, ...(until && { until }) };
    const data = await api.post<HistoryAnswer>('getQueueHistoryByDay', request);
    const { mergedCount, failedCount, cancelledCount } = data.total;
    const what = `${mergedCount} merged, ${failedCount} failed and ${cancelledCount} were cancelled`;
    return { data, sentence: `In ${counted(data.days.length, 'day')} ${what}.` };
  },
});

export const QUEUE_TOOLS: readonly Tool[] = [listQueues, showQueue, queueHistory];

function sentenceOf({
  conditions,
  runs,
  waitingCount,
  notReadyCount,
  mergedCount,
  failedCount,
}: PictureAnswer): string {
  const { state, waitingFor } = conditions;
  const held = waitingFor === null ? '' : ` It waits for: ${quotedSentence(waitingFor)}`;
  return [
    `The queue is ${state}: ${counted(runs.length, 'test run')} in flight, ${waitingCount} waiting, ${notReadyCount} not ready.`,
    `In the last 24 hours ${mergedCount} merged and ${failedCount} failed.${held}`,
  ].join(' ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
