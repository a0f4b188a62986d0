import { ApiProperty } from '@nestjs/swagger';
import { REPORTER_PATTERN } from '../../../domain/status-reporter';
import { Check } from '../../shared/check';
import { IsText } from '../../shared/text';

const MAX_NAME = 255;

export class StatusReporterField {
  @ApiProperty({ description: 'A required status.', example: 'jenkins', maxLength: MAX_NAME })
  @IsText(MAX_NAME)
  name: string;

  @ApiProperty({
    description:
      'The only reporter that counts: job (a job of CI), job_token (the token of a job), app:<id>, login:<login> or token:<name>.',
    example: 'login:jenkins-bot',
  })
  @Check(
    'isReporter',
    (value) => typeof value === 'string' && REPORTER_PATTERN.test(value),
    'must be job, job_token, app:<id>, login:<login> or token:<name>',
  )
  reporter: string;
}
