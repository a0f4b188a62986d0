import { ApiProperty } from '@nestjs/swagger';

const AN_INSTANT = { format: 'date-time', example: '2026-11-20T09:30:00.000Z' } as const;
const A_COMMIT = { example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49' } as const;

export function AnInstant(description: string): PropertyDecorator {
  return ApiProperty({ type: String, description, ...AN_INSTANT });
}

export function InstantOrNull(description: string): PropertyDecorator {
  return ApiProperty({ type: String, description, nullable: true, ...AN_INSTANT });
}

export function ACommit(description: string): PropertyDecorator {
  return ApiProperty({ type: String, description, ...A_COMMIT });
}

export function CommitOrNull(description: string): PropertyDecorator {
  return ApiProperty({ type: String, description, nullable: true, ...A_COMMIT });
}

export function TextOrNull(description: string, example: string | null): PropertyDecorator {
  return ApiProperty({ type: String, description, nullable: true, example });
}

export function AnInteger(description: string, example: number): PropertyDecorator {
  return ApiProperty({ type: 'integer', description, example });
}

export function IntegerOrNull(description: string, example: number | null): PropertyDecorator {
  return ApiProperty({ type: 'integer', description, nullable: true, example });
}

/** A field with a list of pull request numbers. */
export function Numbers(description: string, example: readonly number[] = [1]): PropertyDecorator {
  return ApiProperty({ type: 'array', items: { type: 'integer' }, description, example: [...example] });
}
