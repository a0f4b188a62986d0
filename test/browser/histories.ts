import { ForecastKeeper } from '../../src/queue-processing/forecasts/forecast-keeper';
import type { NewPullRequest } from '../../src/code-hosts/memory/memory-repository';
import type { QueueOfTeam, Team } from './team';

const PEOPLE = ['grace', 'alan', 'ada', 'radia', 'edsger', 'margaret', 'ken', 'barbara', 'tim', 'linus'];
const TITLES = [
  'Round prices half to even',
  'Keep the cart across tabs',
  'Drop the old checkout route',
  'Cache the catalogue for a minute',
  'Name the warehouse in the receipt',
  'Translate the shipping page',
  'Show stock per warehouse',
  'Use the new tax tables',
];

/** What somebody wrote; the same for the same number. */
export function pullRequest(number: number, more: NewPullRequest = {}): NewPullRequest {
  return { title: TITLES[number % TITLES.length], author: PEOPLE[number % PEOPLE.length], ...more };
}

/** Lands so many one after another, so that usual durations and forecasts are known. */
export async function landMany(team: Team, queue: QueueOfTeam, first: number, count: number): Promise<void> {
  const statuses = ['lint', 'unit', 'e2e'];
  for (let number = first; number < first + count; number++) {
    await queue.submit(number, pullRequest(number));
    await team.service.app.get(ForecastKeeper).follow();
    for (const [index, status] of statuses.entries()) {
      await queue.pass([1, 2, 6][index]!);
      await queue.report(number, 'success', status);
    }
    await team.service.app.get(ForecastKeeper).follow();
  }
}

/** A line of four: two tested, a third being tested in a batch's place, one that waits, one that is not ready, one that failed. */
export async function busyLine(team: Team, name = 'storefront'): Promise<QueueOfTeam> {
  const queue = await team.queue(name, { concurrency: 4, requiredStatuses: ['lint', 'unit', 'e2e'] });
  await landMany(team, queue, 370, 32);
  await queue.submit(409, pullRequest(409, { title: 'Apply the discount before tax', author: 'ada' }));
  await queue.pass(3);
  await queue.report(409, 'success', 'lint');
  await queue.report(409, 'failure', 'unit', { url: 'https://ci.example/runs/409', description: '1 test failed' });
  await queue.pass(12);
  await queue.submit(412, pullRequest(412, { title: 'Send the receipt as PDF', author: 'ada' }));
  await queue.pass(2);
  await queue.submit(413, pullRequest(413, { title: 'Let guests check out', author: 'linus' }), { priority: 'high' });
  await queue.report(412, 'success', 'lint');
  await queue.pass(2);
  await queue.submit(414, pullRequest(414));
  await queue.report(412, 'success', 'unit');
  await queue.report(412, 'pending', 'e2e', { url: 'https://ci.example/runs/412' });
  await queue.report(413, 'success', 'lint');
  await queue.pass(1);
  await queue.submit(416, pullRequest(416, { title: 'Retry the payment once', author: 'grace' }));
  await queue.submit(418, pullRequest(418));
  await queue.submit(420, pullRequest(420, { title: 'Count visits without cookies', author: 'ada' }));
  await queue.submit(419, pullRequest(419), { priority: 'low' });
  await queue.submit(421, pullRequest(421, { title: 'Try the new search', author: 'alan', draft: true }));
  await queue.submit(405, pullRequest(405, { title: 'Remove the beta flag', author: 'ada', draft: true }));
  await queue.pass(2);
  await team.service.app.get(ForecastKeeper).follow();
  return queue;
}
