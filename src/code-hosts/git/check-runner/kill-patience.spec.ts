import { KillPatience } from './kill-patience';

describe('the patience with killed processes', () => {
  let nowMs: number;
  let stuck: Set<number>;
  let patience: KillPatience;

  beforeEach(() => {
    nowMs = 0;
    stuck = new Set();
    patience = new KillPatience(
      () => nowMs,
      (pid) => stuck.has(pid),
    );
  });

  it('does not end while a process waits for a CPU, even on a busy machine', () => {
    nowMs = 119_000;
    expect(patience.endsWith([1, 2])).toBe(false);
  });

  it('ends when all processes wait for a disk for more than 10 seconds', () => {
    stuck.add(1);
    nowMs = 10_000;
    expect(patience.endsWith([1])).toBe(false);
    nowMs = 10_001;
    expect(patience.endsWith([1])).toBe(true);
  });

  it('starts again when one of the processes can run', () => {
    stuck.add(1);
    nowMs = 9_000;
    expect(patience.endsWith([1, 2])).toBe(false);
    nowMs = 18_000;
    expect(patience.endsWith([1])).toBe(false);
  });

  it('ends after two minutes in any case', () => {
    nowMs = 120_001;
    expect(patience.endsWith([1, 2])).toBe(true);
  });
});
