import { ALL_LOOKS, describeInBrowser, GOOD_IN_OTHER_MEDIA } from './browser';
import type { QueueHistoryByDay } from '../../src/modules/views/queue-history.dto';
import { weeksOfWork } from './histories';
import { openStage } from './stage';
import type { QueueOfTeam } from './team';

describeInBrowser('The history of a queue in a browser', () => {
  let queue: QueueOfTeam;
  let path: string;
  const stage = openStage(async (team) => {
    queue = await weeksOfWork(team, 'storefront');
    path = queue.path.replace('/ui/queue', '/ui/history');
  });

  const history = async () => (await queue.ask('getQueueHistoryByDay', {})).body as unknown as QueueHistoryByDay;

  it('history and day pages have no axe violations in both themes, all widths, forced colours and on paper', async () => {
    const { page } = stage.person;
    await page.goto(path);
    const day = await page.getAttribute('.chart a', 'href');
    const paths = {
      history: path,
      'history-year': `${path}&days=365`,
      'history-week': `${path}&days=7`,
      'history-day': day!,
    };
    for (const [name, address] of Object.entries(paths)) {
      for (const look of ALL_LOOKS) {
        await stage.person.look(look);
        await page.goto(address);
        const found = { page: name, ...look, axe: await stage.person.axe(), overflow: await stage.person.overflow() };
        await stage.person.picture(`${name}-${look.width}-${look.theme}`);
        expect(found).toEqual({ page: name, ...look, axe: [], overflow: 0 });
      }
      expect({ name, ...(await stage.person.inOtherMedia(name)) }).toEqual({ name, ...GOOD_IN_OTHER_MEDIA });
    }
  });

  it("the history page shows the median error of last week's forecasts", async () => {
    await stage.person.page.goto(path);
    const { etaCount } = (await history()).lastWeek;
    expect(etaCount).toBeGreaterThan(0);
    expect(await stage.person.page.textContent('.kpis')).toMatch(
      new RegExp(`Error of forecasts, last 7 days\\s+\\d+ (s|min)\\s+median of ${etaCount}; \\d+ % in the interval`),
    );
  });

  it('each day of a chart links to the pull requests that left the queue then, by keyboard and without scripts', async () => {
    const plain = await stage.other('read', { javaScriptEnabled: false });
    await plain.page.goto(path);
    await plain.page.focus('.chart a');
    await plain.page.keyboard.press('Enter');
    await plain.page.waitForURL('**/ui/history/day?*');
    const said = await plain.page.textContent('.lede');
    const [, merged, failed, cancelled] = /^(\d+) merged, (\d+) failed, (\d+) cancelled/.exec(said!.trim())!;
    const rows = await plain.page.locator('tbody tr').count();
    expect(rows).toBe(Number(merged) + Number(failed) + Number(cancelled));
    await plain.close();
  });

  it('the figures of the charts are available as a table and as a CSV file', async () => {
    const { page } = stage.person;
    await page.goto(path);
    const { days } = await history();
    await page.locator('details.data summary').first().click();
    expect(await page.locator('details.data').first().locator('tbody tr').count()).toBe(days.length);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')]);
    expect(download.suggestedFilename()).toBe('queue-history.csv');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n');
    expect(lines.slice(1).map((line) => line.slice(0, 10))).toEqual(days.map(({ day }) => day));
  });
});
