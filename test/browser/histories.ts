import { ForecastKeeper } from '../../src/processing/forecasts/forecast-keeper';
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

/** A pull request with a title and an author. Each number always gets the same title and author. */
export function pullRequest(number: number, more: NewPullRequest = {}): NewPullRequest {
  return { title: TITLES[number % TITLES.length], author: PEOPLE[number % PEOPLE.length], ...more };
}

/** Merges `count` pull requests one after another, so that usual durations and forecasts are known. */
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

/** A sequential queue in which some pull requests are under test, some wait, two are drafts, and one has failed. */
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

/**
 * Submits the pull requests with their impacted targets, in the order of their numbers. Lets `minutes` pass after each
 * submission.
 */
export async function submitImpacting(
  queue: QueueOfTeam,
  targets: Readonly<Record<number, readonly string[]>>,
  minutes = 1,
): Promise<void> {
  for (const [name, impactedTargets] of Object.entries(targets)) {
    const number = Number(name);
    queue.repository.openPullRequest(number, pullRequest(number));
    await queue.ask('setImpactedTargets', { pr: { number }, impactedTargets });
    await queue.ask('submitPullRequest', { pr: { number } });
    if (minutes > 0) await queue.pass(minutes);
  }
}

const MINUTES_OF_DAY = 24 * 60;

/**
 * Four weeks of a team: more pull requests on workdays than on weekends, batches of three in the second half, and a day
 * of slow CI. Now and then a pull request fails, gets a push, or is cancelled. Forecasts are scored like in the
 * service.
 */
export async function weeksOfWork(team: Team, name: string): Promise<QueueOfTeam> {
  const queue = await team.queue(name, { concurrency: 4, batchingMaxWaitTimeMinutes: 5 });
  const follow = () => team.service.app.get(ForecastKeeper).follow();
  let number = 100;
  for (let day = 0; day < 28; day++) {
    if (day === 14) await queue.ask('updateQueue', { batch: true, batchingMinSize: 3 });
    const rounds = day % 7 > 4 ? 1 : 3 + (day % 3);
    let left = MINUTES_OF_DAY;
    for (let round = 0; round < rounds; round++) {
      const minutes = 9 + ((number * 7) % 8) + (day === 19 ? 40 : 0);
      const three = [++number, ++number, ++number];
      for (const one of three) await queue.submit(one, pullRequest(one));
      await follow();
      await queue.pass(minutes);
      for (const one of day < 14 ? three : three.slice(0, 1)) await queue.report(one, 'success');
      await follow();
      left -= minutes;
      if (round > 0) left -= await sendBack(queue, ++number, day + round);
      await follow();
    }
    await queue.pass(left);
  }
  return queue;
}

/** A pull request that leaves the queue unmerged. Returns the minutes until it left. */
async function sendBack(queue: QueueOfTeam, number: number, turn: number): Promise<number> {
  await queue.submit(number, pullRequest(number));
  await queue.pass(6);
  if (turn % 4 === 0) {
    await queue.push(number);
    await queue.pass(1);
    return 7;
  }
  if (turn % 4 === 1) {
    await queue.ask('cancelPullRequest', { pr: { number } });
    await queue.pass(1);
    return 7;
  }
  await queue.report(number, 'failure');
  return 6;
}
