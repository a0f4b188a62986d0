import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anonymous } from '../../processing/replay/anonymous';
import { historyOfLog } from '../../processing/replay/history-of-log';
import { RecordedMonth } from '../../../test/simulation/replay/recorded-month';
import { runSluice } from '../run-sluice';

async function sluice(
  ...args: string[]
): Promise<{ readonly exit: number; readonly out: string; readonly err: string }> {
  const said = { out: '', err: '' };
  const out = (text: string): void => void (said.out += text);
  const err = (text: string): void => void (said.err += text);
  return { exit: await runSluice(args, { out, err, columns: undefined }), ...said };
}

describe('sluice replay --from', () => {
  const { log, until, targets } = new RecordedMonth({
    seed: 3,
    days: 3,
    perDay: 20,
    settings: { concurrency: 2 },
  }).play();
  const history = anonymous(historyOfLog(log, until, { targets, downtimes: [], waiting: [] }));
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  const file = join(folder, 'history.json');
  beforeAll(() => writeFileSync(file, JSON.stringify(history)));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('shows the past, the replay, and the replay with other settings, side by side', async () => {
    const { exit, out } = await sluice(
      'replay',
      '--from',
      file,
      '--set',
      'batch=true',
      '--set',
      'batchingMaxWaitTimeMinutes=120',
    );
    expect(exit).toBe(0);
    const [was, is, wouldBe] = (/^test runs +(\d+) +(\d+) +(\d+)$/m.exec(out) ?? []).slice(1).map(Number);
    expect(is).toBe(was);
    expect(wouldBe).toBeLessThan(is!);
    expect(out).toMatch(/^(\d+) of \1 pull requests end in the column "as it is" as they did in the history\.$/m);
    expect(out).toMatch(/Assumed to pass, because their parts passed: \d+\./);
  });

  it('prints JSON with --json', async () => {
    const { out } = await sluice('replay', '--from', file, '--set', 'concurrency=4', '--json');
    expect(JSON.parse(out)).toMatchObject({
      asItWas: { merged: expect.any(Number) as number },
      leftOut: ['When the history ends, 2 test runs were under way: how they ended is left out.'],
    });
  });

  it.each([
    ['batchingMinSize', 'Write it as name=value'],
    ['batchSize=8', 'There is no setting batchSize.'],
    ['batchingMinSize=0', 'batchingMinSize is a whole number, 1 to 4294967295.'],
    ['scheduling=fast', 'scheduling: One of: in_order, flow.'],
    ['scheduling=flow', 'scheduling flow needs canOptimisticallyMerge true'],
  ])('refuses --set %s with the reason', async (setting, words) => {
    const { exit, err } = await sluice('replay', '--from', file, '--set', setting);
    expect([exit, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it('refuses a file that is not a history', async () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"version":1,"happenings":{}}');
    const { exit, err } = await sluice('replay', '--from', other);
    expect([exit, err]).toEqual([1, expect.stringContaining('is no history of a queue')]);
  });

  const [run] = history.runs;
  it.each([
    ['version is not 1', { version: 2 }],
    ['happenings is no list', { happenings: {} }],
    [
      'happenings[0].type is none of event, targetPushed, targetSeen',
      { happenings: [{ type: 'gone', at: 1, rank: 1 }] },
    ],
    [
      'happenings[0].event.number is no number',
      { happenings: [inside({ type: 'pullRequestGone', number: '7', seenAt: 1 })] },
    ],
    ['happenings[0].event.type is none of pullRequestSubmitted', { happenings: [inside({ type: 'statusReported' })] }],
    ['runs[1].reports[0].state is none of passed, failed, lost', { runs: [run, { ...run, reports: [report('red')] }] }],
    [
      'runs[0].start.pushedAfter is no number',
      { runs: [{ ...run, start: { type: 'pushed', toldAfter: 1, rank: 1 } }] },
    ],
    ['start.flow is no object', { start: { ...history.start, flow: 7 } }],
    ['start.settings.concurrency is no number', { start: withSetting({ concurrency: 'two' }) }],
  ])('names the wrong field of a history: %s', async (words, wrong) => {
    const other = join(folder, 'wrong.json');
    writeFileSync(other, JSON.stringify({ ...history, ...wrong }));
    const { exit, err } = await sluice('replay', '--from', other);
    expect([exit, err]).toEqual([1, expect.stringContaining(words)]);
  });

  function inside(event: object): object {
    return { type: 'event', at: 1, rank: 1, event };
  }

  function report(state: string): object {
    return { after: 1, rank: 1, state, isFlaky: false };
  }

  function withSetting(settings: object): object {
    return { ...history.start, settings: { ...history.start.settings, ...settings } };
  }

  it('requires a repository or a file', async () => {
    expect(await sluice('replay')).toMatchObject({ exit: 2, err: expect.stringContaining('--from') as string });
  });
});
