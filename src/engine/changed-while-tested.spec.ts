import { EngineDay } from '../../test/support/engine-day';
import type { PullRequestDay } from '../../test/support/engine-host';
import type { QueueSettings } from './model';

let day: EngineDay;

afterEach(() => expect(day.problems).toEqual([]));

function tested(numbers: readonly number[], settings: Partial<QueueSettings> = {}): EngineDay {
  day = new EngineDay({ optimizationMode: 'off', ...settings });
  for (const number of numbers) day.submit(number);
  return day.carryOutAll();
}

function fates(...numbers: readonly number[]): readonly (string | null)[] {
  return numbers.map((number) => `${day.stateOf(number)} ${day.entry(number).stateReason ?? ''}`.trim());
}

const BATCH = { batch: true, batchingMinSize: 3 } as const;

describe('attack 1: a pull request that changes during its test, with a late notice to the queue', () => {
  it.each<[string, Partial<PullRequestDay>, string]>([
    ['turned to another branch', { base: 'release' }, 'cancelled pr_base_branch_changed'],
    ['made a draft', { draft: true }, 'cancelled pr_converted_to_draft'],
    ['closed', { state: 'closed' }, 'cancelled pr_closed'],
    ['merged into another branch', { state: 'merged', base: 'release' }, 'cancelled pr_merged_into_other_branch'],
  ])('does not land when it was %s', (_, change, fate) => {
    tested([1]).change(1, change, 'missed');
    day.pass(1);
    expect([fates(1), day.target]).toEqual([[fate], ['main']]);
  });

  it('keeps the other entries of its batch from landing; they are tested again without it', () => {
    tested([1, 2, 3], BATCH).change(2, { base: 'release' }, 'missed');
    day.pass(1);
    expect(day.target).toEqual(['main']);
    expect(fates(1, 2, 3)).toEqual(['testing', 'cancelled pr_base_branch_changed', 'testing']);
    expect(day.testedOn(1)).toEqual([1, 3]);
    day.pass(1);
    expect(day.target).toEqual(['main', '1@1a', '3@3a']);
  });

  it('does not land when a later run that includes it passes', () => {
    tested([1, 2], { concurrency: 2, canOptimisticallyMerge: true }).change(1, { base: 'release' }, 'missed');
    day.pass(2);
    expect([fates(1), day.target]).toEqual([['cancelled pr_base_branch_changed'], ['main']]);
    expect(day.testedOn(2)).toEqual([2]);
  });

  it('lands if the change is reverted before the queue acts on it', () => {
    tested([1]).change(1, { base: 'release' }, 'missed');
    day.report(day.runOf(1), 'passed');
    day.act();
    day.advance(1);
    day.change(1, { base: 'main' });
    day.carryOutAll();
    expect(fates(1)).toEqual(['merged merge_graph_merge']);
  });

  it('stops the landing of the rest of its run when the host has merged only a part', () => {
    tested([1, 2, 3], BATCH);
    const { runs, landing } = (day.report(day.runOf(1), 'passed'), day.queue);
    expect([runs.length, landing?.number]).toEqual([1, 1]);
    const command = day.commands.find(({ type }) => type === 'landRun');
    day.commands.splice(0);
    day.host.pullRequest(2).base = 'release';
    const tip = { commit: 'c'.repeat(40), tree: day.host.idOf(['main', '1@1a']) };
    const because = { type: 'pull_request_changed', facts: day.facts(2) } as const;
    day.happen({ type: 'landedPartly', landing: 1, tip, commits: [{ number: 1, ...tip }], because, at: day.now });
    expect(command).toBeDefined();
    expect(fates(1, 2, 3)).toEqual([
      'merged merge_graph_merge',
      'cancelled pr_base_branch_changed',
      'pending prerequisite_merge_item_cancelled',
    ]);
    expect(day.queue.partialLanding).toMatchObject({ landed: [1], why: '#2 was changed meanwhile' });
  });
});
