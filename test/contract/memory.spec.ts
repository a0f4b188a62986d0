import { describeCodeHostContract } from '../../src/testing/code-host-contract';
import { MemoryHost } from '../../src/code-hosts/memory/memory-host';
import { ManualClock } from '../support/manual-clock';
import { memoryHostWorld } from './hosts';

describeCodeHostContract('The memory host', () => memoryHostWorld());
describeCodeHostContract('The memory host, whatever the letter case,', () => memoryHostWorld('ignored'), {
  candidates: [],
  letterCase: 'ignored',
});

describe('The memory host', () => {
  it('promises to merge whole runs, unless it is configured to merge one pull request at a time', () => {
    const host = new MemoryHost('memory.example', 5, new ManualClock(new Date(0)));
    expect(host.landsWholeRuns()).toBe(true);
    host.landOneAtATime();
    expect(host.landsWholeRuns()).toBe(false);
  });
});
