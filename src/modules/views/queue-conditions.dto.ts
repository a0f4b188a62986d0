import { ApiProperty } from '@nestjs/swagger';
import { QUEUE_STATES, type QueueState } from '../../engine/vocabulary';
import { AnInstant, AnInteger, InstantOrNull, IntegerOrNull, Numbers, TextOrNull } from './dto/fields';

const MODES = ['single', 'parallel'] as const;
const SCHEDULINGS = ['in_order', 'flow'] as const;

class FreezeNow {
  @AnInstant('When it began.')
  from: string;

  @InstantOrNull('When it ends; null: the freeze windows leave no time to merge.')
  until: string | null;

  @IntegerOrNull('Pull requests up to this priority are merged all the same; null: none is.', null)
  exceptPriorityAtMost: number | null;
}

class MergeLimitNow {
  @AnInteger('How many may be merged in an hour.', 10)
  perHour: number;

  @AnInteger('How many were in the last hour.', 10)
  mergedLately: number;
}

class SwitchUnderWay {
  @ApiProperty({
    type: String,
    description: 'The new mode; null: it stays.',
    enum: MODES,
    nullable: true,
    example: 'parallel',
  })
  mode: (typeof MODES)[number] | null;

  @ApiProperty({
    type: String,
    description: 'The new scheduling; null: it stays.',
    enum: SCHEDULINGS,
    nullable: true,
    example: null,
  })
  scheduling: (typeof SCHEDULINGS)[number] | null;

  @ApiProperty({
    description: 'The state of the queue after that.',
    enum: ['running', 'paused', 'draining'],
    example: 'running',
  })
  then: Exclude<QueueState, 'switching_modes'>;
}

/** The target branch itself fails its tests. */
class RedTargetNow {
  @InstantOrNull('Since when; null: not known.')
  since: string | null;

  @TextOrNull('What is wrong, as far as the queue knows.', null)
  problem: string | null;
}

/** A commit of the code host with other content than was tested. */
class WrongTree {
  @AnInteger('Number of the pull request.', 7)
  prNumber: number;

  @ApiProperty({ description: 'Commit on the target branch.', example: '7c211433f02071597741e6ff5a8ea34789abbf43' })
  commit: string;

  @ApiProperty({ description: 'Tree of a merge.', example: '4b825dc642cb6eb9a060e54bf8d69288fbee4904' })
  expectedTree: string;

  @ApiProperty({ description: 'Tree of the commit.', example: '9daeafb9864cf43055ae93beb0afd6c7d144bfa4' })
  tree: string;

  @ApiProperty({ description: 'Some of the files that differ.', type: [String], example: ['src/a.ts'] })
  files: string[];

  @TextOrNull('For git apply: restores the content of the merge. null: too long.', null)
  patch: string | null;
}

/** Content that the last merge left on the target without a test run. */
class PartlyLanded {
  @Numbers('Those that landed, in order.')
  landed: number[];

  @ApiProperty({
    description: 'Why the code host refused the rest, what it merged wrongly, or who pushed in between.',
    example: 'Required reviews are missing',
  })
  why: string;

  @ApiProperty({ description: 'Commits with the wrong content. Empty: none.', type: [WrongTree], example: [] })
  wrongTrees: WrongTree[];

  @ApiProperty({ description: 'Whether all merged, and somebody pushed to the target in between.', example: false })
  isMixed: boolean;
}

class OutageNow {
  @AnInstant('Since when the service cannot go on at the code host.')
  since: string;

  @TextOrNull("The host's words, where it answered: an error, a limit, a refusal. Null: it does not answer.", null)
  refusal: string | null;
}

export class LandingNow {
  @Numbers('What lands, in order.')
  members: number[];

  @AnInstant('When the queue ordered it.')
  orderedAt: string;

  @TextOrNull('What the host takes long over, as a sentence; null: nothing.', null)
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

  @InstantOrNull('Since when it is in that state; null: not known.')
  since: string | null;

  @TextOrNull('The token that put it there; null: the queue itself, or not known.', 'me')
  by: string | null;

  @TextOrNull('Why it is paused or draining; null: nobody said.', null)
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

  @ApiProperty({ type: FreezeNow, description: 'The freeze that is on; null: none.', nullable: true })
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

  @ApiProperty({ type: OutageNow, description: 'The host is out of reach; null: it answers.', nullable: true })
  outage: OutageNow | null;

  @AnInteger(
    'How many decisions failed in a row. While they fail, the queue stands. Always 0 as long as Sluice works.',
    0,
  )
  failedDecisions: number;
}

class SlotUse {
  @AnInteger('How many are taken.', 3)
  inUse: number;

  @AnInteger('How many there are.', 4)
  all: number;
}

export class QueueSlots {
  @ApiProperty({ type: SlotUse, description: 'Slots of the queue line; with scheduling flow, all slots.' })
  line: SlotUse;

  @ApiProperty({ type: SlotUse, description: 'Slots of bisection; null with scheduling flow.', nullable: true })
  searches: SlotUse | null;
}
