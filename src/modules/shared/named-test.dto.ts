import { ApiProperty } from '@nestjs/swagger';

export const TEST_CASE_ID = { format: 'uuid', example: '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11' } as const;
export const TEST_HEALTH_STATUS = {
  enum: ['healthy', 'flaky', 'broken'],
  enumName: 'TestHealthStatus',
  example: 'flaky',
} as const;

/** The identity of a test, and its status. */
export class NamedTest {
  @ApiProperty({ description: 'Name of the test.', example: 'adds widgets' })
  name: string;

  @ApiProperty({ description: 'Class of the test; empty when unknown.', example: 'Widgets' })
  classname: string;

  @ApiProperty({ description: 'Suite of the test; empty when unknown.', example: 'widgets' })
  parent: string;

  @ApiProperty({ description: 'File of the test; empty when unknown.', example: 'test/widgets.spec.ts' })
  file: string;

  @ApiProperty({ description: 'Variant in which the test ran; empty when unknown.', example: 'linux' })
  variant: string;

  @ApiProperty({ description: 'healthy, flaky or broken.', ...TEST_HEALTH_STATUS })
  status: string;
}
