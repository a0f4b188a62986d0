import { ApiProperty } from '@nestjs/swagger';
import { QUEUE_STATES, type QueueState } from '../../engine/vocabulary';
import { AnInstant, AnInteger, InstantOrNull, IntegerOrNull, Numbers, TextOrNull } from './dto/fields';

const MODES = ['single', 'parallel'] as const;
const SCHEDULINGS = ['in_order', 'flow'] as const;

class FreezeNow {
  @AnInstant('When the freeze began.')
  from: string;

  @InstantOrNull('When the freeze ends; null: the freeze windows leave no time to merge.')
  until: string | null;

  @IntegerOrNull(
    'Pull requests with this priority or a better one are still merged; null: no pull request is merged.',
    null,
  )
  exceptPriorityAtMost: number | null;
}

class MergeLimitNow {
  @AnInteger('How many pull requests may be merged in an hour.', 10)
  perHour: number;

  @AnInteger('How many pull requests were merged in the last hour.', 10)
  mergedLately: number;
}

class SwitchUnderWay {
  @ApiProperty({
    type: String,
    description: 'The new mode; null: the mode stays.',
    enum: MODES,
    nullable: true,
    example: 'parallel',
  })
  mode: (typeof MODES)[number] | null;

  @ApiProperty({
    type: String,
    description: 'The new scheduling; null: the scheduling stays.',
    enum: SCHEDULINGS,
    nullable: true,
    example: null,
  })
  scheduling: (typeof SCHEDULINGS)[number] | null;

  @ApiProperty({
    description: 'The state of the queue after the switch.',
    enum: ['running', 'paused', 'draining'],
    example: 'running',
  })
  then: Exclude<QueueState, 'switching_modes'>;
}

/** The target branch itself fails its tests. */
class RedTargetNow {
  @InstantOrNull('Since when; null: not known.')
  since: string | null;

  @TextOrNull('The problem, as far as the queue knows.', null)
  problem: string | null;
}

/** A commit of the code host with other content than was tested. */
class WrongTree {
  @AnInteger('Number of the pull request.', 7)
  prNumber: number;

  @ApiProperty({ description: 'Commit on the target branch.', example: '7c211433f02071597741e6ff5a8ea34789abbf43' })
  commit: string;

  @ApiProperty({ description: 'Tree that the merge should have.', example: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' })
  expectedTree: string;

  @ApiProperty({ description: 'Tree of the commit.', example: '9daeafb9864cf43055ae93beb0afd6c7d144bfa4' })
  tree: string;

  @ApiProperty({ description: 'Some of the files that differ.', type: [String], example: ['src/a.ts'] })
  files: string[];

  @TextOrNull('Patch for git apply that restores the tested content. Null: the patch is too long.', null)
  patch: string | null;
}

/** Content that the last merge left on the target without a test run. */
class PartlyLanded {
  @Numbers('Pull requests that merged, in order.')
  landed: number[];

  @ApiProperty({
    description: 'The problem: why the code host refused the rest, what it merged wrongly, or who pushed in between.',
    example: 'Required reviews are missing',
  })
  why: string;

  @ApiProperty({ description: 'Commits with the wrong content. Empty: none.', type: [WrongTree], example: [] })
  wrongTrees: WrongTree[];

  @ApiProperty({
    description: 'Whether all pull requests merged, but somebody pushed to the target in between.',
    example: false,
  })
  isMixed: boolean;
}

class OutageNow {
  @AnInstant('Since when the service has been unable to work with the code host.')
  since: string;

  @TextOrNull(
    'The message of the code host, such as an error, a limit or a refusal. Null: the code host does not answer.',
    null,
  )
  refusal: string | null;
}

export class LandingNow {
  @Numbers('Pull requests that are being merged, in order.')
  members: number[];

  @AnInstant('When the queue requested the merge.')
  orderedAt: string;

  @TextOrNull('A sentence about a merge that takes the code host unusually long; null: there is none.', null)
  waitingFor: string | null;
}

/** The current activity of a queue. */
export class QueueStanding {
  @ApiProperty({
    description: 'State of the queue.',
    enum: [...QUEUE_STATES],
    enumName: 'QueueState',
    example: 'running',
  })
  state: QueueState;

  @InstantOrNull('Since when the queue is in this state; null: not known.')
  since: string | null;

  @TextOrNull('The token that set the state; null: the queue itself, or not known.', 'me')
  by: string | null;

  @TextOrNull('Why the queue is paused or draining; null: nobody gave a reason.', null)
  reason: string | null;
}

/** The current activity of a queue, and everything that holds up the queue. */
export class QueueConditions extends QueueStanding {
  @TextOrNull('Why no test starts, and what would change that; null: tests start.', null)
  waitingFor: string | null;

  @ApiProperty({ description: 'The mode in force.', enum: MODES, enumName: 'QueueMode', example: 'single' })
  mode: (typeof MODES)[number];

  @ApiProperty({
    description: 'The scheduling in force.',
    enum: SCHEDULINGS,
    enumName: 'Scheduling',
    example: 'in_order',
  })
  scheduling: (typeof SCHEDULINGS)[number];

  @ApiProperty({
    type: SwitchUnderWay,
    description: 'The requested mode and scheduling; null: no switch is in progress.',
    nullable: true,
  })
  switchingTo: SwitchUnderWay | null;

  @ApiProperty({ type: LandingNow, description: 'The merge in progress; null: none.', nullable: true })
  landing: LandingNow | null;

  @ApiProperty({ type: FreezeNow, description: 'The current freeze; null: none.', nullable: true })
  freeze: FreezeNow | null;

  @ApiProperty({ type: MergeLimitNow, description: 'The limit of merges; null: none.', nullable: true })
  mergeLimit: MergeLimitNow | null;

  @ApiProperty({
    type: RedTargetNow,
    description: 'The target branch itself fails its tests; null: no such failure is known.',
    nullable: true,
  })
  redTarget: RedTargetNow | null;

  @ApiProperty({
    type: PartlyLanded,
    description: 'Untested commits that the last merge left on the target branch; null: none.',
    nullable: true,
  })
  partlyLanded: PartlyLanded | null;

  @ApiProperty({
    type: OutageNow,
    description: 'The outage of the code host; null: the code host answers.',
    nullable: true,
  })
  outage: OutageNow | null;

  @AnInteger(
    'How many decisions of the queue failed in a row. The queue is blocked while its decisions fail. Always 0 unless Sluice has a bug.',
    0,
  )
  failedDecisions: number;
}

class SlotUse {
  @AnInteger('How many slots are in use.', 3)
  inUse: number;

  @AnInteger('How many slots there are.', 4)
  all: number;
}

export class QueueSlots {
  @ApiProperty({ type: SlotUse, description: 'Slots of runs that can merge; with scheduling flow, all slots.' })
  line: SlotUse;

  @ApiProperty({ type: SlotUse, description: 'Slots of bisection; null with scheduling flow.', nullable: true })
  searches: SlotUse | null;
}
