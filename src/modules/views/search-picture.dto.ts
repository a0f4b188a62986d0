import { ApiProperty } from '@nestjs/swagger';
import { AnInteger, Numbers, TextOrNull } from './dto/fields';

const STAGES = ['whole', 'prefixes', 'culprit', 'suspects'] as const;
const VERDICTS = ['passed', 'failed', 'timed_out'] as const;

export class PrefixPicture {
  @AnInteger('How many pull requests of the batch were tested together, counted from the first.', 4)
  length: number;

  @AnInteger('Number of the run that tested these pull requests.', 322)
  runNumber: number;

  @ApiProperty({
    description: 'timed_out: this part is tested once more before it counts as failed.',
    enum: VERDICTS,
    enumName: 'PrefixVerdict',
    example: 'passed',
  })
  verdict: (typeof VERDICTS)[number];
}

/** A bisection of a failed batch; with flow scheduling, a suspect set. */
export class SearchPicture {
  @AnInteger('Number of the bisection in its queue; the number of a set of suspects may be negative.', 3)
  number: number;

  @ApiProperty({
    description:
      'whole: the batch is tested again. prefixes: parts of the batch, each from its first pull request on. culprit: the culprit that was found, tested in isolation. suspects: a set of suspects, with scheduling flow.',
    enum: STAGES,
    enumName: 'SearchStage',
    example: 'prefixes',
  })
  stage: (typeof STAGES)[number];

  @Numbers('Pull requests of the batch, in order.', [1, 2, 3, 4])
  members: number[];

  @Numbers('Pull requests of the batch that may have broken it.', [3, 4])
  suspects: number[];

  @ApiProperty({ type: [PrefixPicture], description: 'Results of the bisection so far.' })
  results: PrefixPicture[];

  @ApiProperty({ type: [Number], description: 'Numbers of the test runs in flight.', example: [323] })
  runs: number[];

  @TextOrNull('The reason why the bisection waits.', null)
  waitingFor: string | null;
}
