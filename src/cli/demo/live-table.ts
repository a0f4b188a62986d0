import { table } from '../reply';
import type { Terminal } from '../terminal';
import type { Standing } from './story';

const HEADINGS = ['PR', 'TITLE', 'STATE', 'REASON', 'TESTED ON', 'WAITING FOR'] as const;

/**
 * Shows the state of all pull requests: on a screen as a table that redraws itself, elsewhere as one line per change.
 */
export class LiveTable {
  private drawn = 0;
  private readonly said = new Map<number, string>();
  private readonly started = performance.now();

  constructor(private readonly terminal: Terminal) {}

  /** Leaves the current table on the screen. The next table begins below it. */
  startAnew(): void {
    this.drawn = 0;
  }

  show(standings: readonly Standing[]): void {
    const { columns } = this.terminal;
    if (columns === undefined) this.sayChanges(standings);
    else this.draw(standings, columns);
  }

  private draw(standings: readonly Standing[], columns: number): void {
    const back = this.drawn === 0 ? '' : `\u001b[${this.drawn}A\u001b[J`;
    const lines = table([HEADINGS, ...standings.map(rowOf)]).map((line) => line.slice(0, columns - 1));
    this.terminal.out(`${back}${lines.join('\n')}\n`);
    this.drawn = lines.length;
  }

  private sayChanges(standings: readonly Standing[]): void {
    for (const standing of standings) {
      const { record, testedOn } = standing;
      const change = [record.state, record.stateReason, testedOn].join();
      if (this.said.get(record.prNumber) === change) continue;
      this.said.set(record.prNumber, change);
      const seconds = ((performance.now() - this.started) / 1000).toFixed(1).padStart(5);
      const words = [record.state, record.stateReason, testedOn && `on ${testedOn}`, record.waitingFor];
      this.terminal.out(`${seconds} s  #${record.prNumber} ${words.filter(Boolean).join(' · ')}\n`);
    }
  }
}

function rowOf({ record, testedOn }: Standing): readonly string[] {
  return [
    `#${record.prNumber}`,
    record.prTitle,
    record.state,
    record.stateReason ?? '',
    testedOn,
    record.waitingFor ?? '',
  ];
}
