import type { Change } from '../../../src/engine/changes';
import type { Command } from '../../../src/engine/commands';
import type { Refusal } from '../../../src/engine/decision';
import type { QueueEvent } from '../../../src/engine/events';
import type { QueuedHead } from '../../../src/engine/model';
import type { Deed } from './plan';

/** The events of a day, for a person who looks for the reason why the day went wrong. */
export class Diary {
  readonly lines: string[] = [];

  constructor(private readonly clock: () => string) {}

  deed(deed: Deed): void {
    this.write(`* ${JSON.stringify({ ...deed, atMinute: undefined })}`);
  }

  event(event: QueueEvent, branch: string): void {
    this.write(`> ${branch === 'main' ? '' : `${branch}: `}${eventLine(event)}`);
  }

  refused({ code, message }: Refusal): void {
    this.write(`    refused ${code}: ${message}`);
  }

  decided(changes: readonly Change[], commands: readonly Command[]): void {
    for (const change of changes) this.write(`    ${changeLine(change)}`);
    for (const command of commands) this.write(`    order ${commandLine(command)}`);
  }

  problem(problem: string): void {
    this.write(`!!! ${problem}`);
  }

  private write(line: string): void {
    this.lines.push(`${this.clock()} ${line}`);
  }
}

function eventLine(event: QueueEvent): string {
  switch (event.type) {
    case 'pullRequestSubmitted':
      return `submitted #${event.facts.number}@${event.facts.head} priority ${event.priority} noBatch ${event.noBatch}`;
    case 'pullRequestSeen': {
      const { number, head, state, draft, base, mergeability } = event.facts;
      return `seen #${number}@${head} ${state}${draft ? ' draft' : ''} base ${base} ${mergeability}`;
    }
    case 'runPushed':
      return `run ${event.run} pushed as ${short(event.commit)}, tree ${short(event.tree)}`;
    case 'runResultKnown':
      return `run ${event.run}: known result, red ${event.red.join() || 'nothing'}`;
    case 'runNotStarted':
      return `run ${event.run} not started: ${JSON.stringify(event.because)}`;
    case 'statusReported':
      return `status reported on ${short(event.commit)}`;
    default:
      return shortened(JSON.stringify(event));
  }
}

function changeLine(change: Change): string {
  switch (change.type) {
    case 'entryMoved':
      return `${change.entryId} ${change.from} -> ${change.to} (${change.because ?? `run ${change.run}`})`;
    case 'runStarted': {
      const { number, kind, base, builtOn, own, place, search } = change.run;
      const where = search === null ? `place ${place}` : `search ${search}`;
      const onto = `${short(base.tree)} epoch ${base.epoch} landed ${base.landedSeq}`;
      return `run ${number} (${kind}, ${where}) on ${onto} + [${names(builtOn)}] own [${names(own)}]`;
    }
    case 'runPushed':
    case 'runResultReused':
    case 'runPassed':
      return `${change.type} ${change.run}`;
    case 'runFailed':
      return `runFailed ${change.run} ${JSON.stringify(change.failure)}`;
    case 'runEnded':
      return `runEnded ${change.run}: ${change.because}`;
    case 'searchStarted':
    case 'searchAdvanced': {
      const { number, stage, members, results } = change.search;
      const said = results.map(({ length, verdict }) => `${length}:${verdict}`).join(' ');
      return `${change.type} ${number} ${stage} [${names(members)}] ${said}`;
    }
    case 'entrySubmitted':
      return `entrySubmitted ${change.entry.id} attempt ${change.entry.attempt}`;
    case 'pullRequestObserved':
      return `observed #${change.facts.number}`;
    default:
      return shortened(JSON.stringify(change));
  }
}

function commandLine(command: Command): string {
  switch (command.type) {
    case 'startTestRun':
      return `start run ${command.run}${command.reuseSince === null ? '' : ', reusing'}`;
    case 'stopTestRun':
      return `stop run ${command.run}`;
    case 'landRun':
      return `landing ${command.landing} of runs ${command.runs.join()}: [${names(command.changes)}]`;
  }
}

function names(changes: readonly QueuedHead[]): string {
  return changes.map((change) => `${change.number}@${change.head}`).join(' ');
}

/** The text with commits and trees shortened to their first digits. */
function shortened(text: string): string {
  return text.replace(/\b([0-9a-f]{7})[0-9a-f]{33}\b/g, '$1');
}

function short(id: string): string {
  return id.slice(0, 7);
}
