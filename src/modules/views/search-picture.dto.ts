import { ApiProperty } from '@nestjs/swagger';
import { AnInteger, Numbers, TextOrNull } from './dto/fields';

const STAGES = ['whole', 'prefixes', 'culprit', 'suspects'] as const;
const VERDICTS = ['passed', 'failed', 'timed_out'] as const;

export class PrefixPicture {
  @AnInteger('How many of its members, from the first, were tested.', 4)
  length: number;

  @AnInteger('Number of the run that tested them.', 322)
  runNumber: number;

  @ApiProperty({
    description: 'timed_out: it is tested once more before it counts as failed.',
    enum: VERDICTS,
    enumName: 'PrefixVerdict',
    example: 'passed',
  })
  verdict: (typeof VERDICTS)[number];
}

/** A bisection of a failed batch; with flow scheduling, a suspect set. */
export class SearchPicture {
  @AnInteger('Number of the search in its queue; of a set of suspects, it may be negative.', 3)
  number: number;

  @ApiProperty({
    description:
      'whole: the batch is tested again. prefixes: parts of the batch, each from its first pull request on. culprit: the culprit that was found, tested in isolation. suspects: a set of suspects, with scheduling flow.',
    enum: STAGES,
    enumName: 'SearchStage',
    example: 'prefixes',
  })
  stage: (typeof STAGES)[number];

  @Numbers('Its pull requests, in the order of the batch.', [1, 2, 3, 4])
  members: number[];

  @Numbers('Those of them that may have broken it.', [3, 4])
  suspects: number[];

  @ApiProperty({ type: [PrefixPicture], description: 'The results of its runs so far.' })
  results: PrefixPicture[];

  @ApiProperty({ type: [Number], description: 'Numbers of its runs in flight.', example: [323] })
  runs: number[];

  @TextOrNull('What it waits for.', null)
  waitingFor: string | null;
}
