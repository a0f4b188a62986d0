import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { parseRepositoryPath } from '../../../platform/repository-name';
import { IsBranchName, isBranchName } from '../../shared/branch-name';
import { Check } from '../../shared/check';
import { Cursor, CURSOR_IS_NUMBER } from '../../shared/cursor';
import { MayBeAbsent } from '../../shared/presence';
import { IsCommitId, isText } from '../../shared/text';

const MAX_NAME = 255;
const HIGHEST_NUMBER = 2_147_483_647;

/** A repository by its name and host. */
class OfRepository {
  @ApiProperty({ description: 'owner/name of the repository.', example: 'demo/widgets' })
  @Check(
    'isRepository',
    (value) => isText(value, 2 * MAX_NAME) && parseRepositoryPath(value) !== null,
    'must be owner/name',
  )
  repo: string;

  @ApiProperty({ description: 'Host of the repository.', example: 'local' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))
  @Check('isHost', (value) => isText(value, MAX_NAME), `must be a string of 1 to ${MAX_NAME} characters`)
  repoHost: string;
}

export class AttestationsQuery extends OfRepository {
  @ApiProperty({
    description: 'Only statements about this commit: a merge, or the head of a merged pull request.',
    required: false,
    example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49',
  })
  @MayBeAbsent()
  @IsCommitId()
  commit?: string;

  @ApiProperty({
    description: 'Only merges into this branch; needed without commit.',
    required: false,
    example: 'main',
  })
  @Check(
    'isBranchName',
    (value, query) => (value === undefined ? (query as AttestationsQuery).commit !== undefined : isBranchName(value)),
    'must be a branch name, such as main; it may be absent when commit is given',
  )
  targetBranch?: string;

  @Cursor(CURSOR_IS_NUMBER)
  cursor?: string;
}

export class AttestationBundleQuery extends OfRepository {
  @ApiProperty({ description: 'The target branch.', example: 'main' })
  @IsBranchName()
  targetBranch: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of the first statement; absent: 1.',
    required: false,
    minimum: 1,
    maximum: HIGHEST_NUMBER,
    example: 1,
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value,
  )
  @MayBeAbsent()
  @Check(
    'isNumber',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= HIGHEST_NUMBER,
    `must be an integer from 1 to ${HIGHEST_NUMBER}`,
  )
  from?: number;
}

export class AttestationItem {
  @ApiProperty({ description: 'Statements about one branch are numbered from 1 on, without a gap.', example: 12 })
  number: number;

  @ApiProperty({ description: 'The target branch.', example: 'main' })
  targetBranch: string;

  @ApiProperty({
    description: 'The branch after the merge.',
    example: '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49',
  })
  commit: string;

  @ApiProperty({ description: 'Head of the pull request.', example: '9c1e2d3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9d' })
  head: string;

  @ApiProperty({ description: 'Time of the merge.', format: 'date-time', example: '2026-11-28T12:00:00.000Z' })
  mergedAt: string;

  @ApiProperty({
    description: 'sha256 of the signed content, in hex. The next statement contains this hash.',
    example: 'a1b2c3d4',
  })
  digest: string;

  @ApiProperty({
    description: 'The signed statement, as a Sigstore bundle. docs/attestations.md describes its fields.',
    type: 'object',
    additionalProperties: true,
    example: { mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json' },
  })
  bundle: object;
}

export class AttestationsAnswer {
  @ApiProperty({ description: 'The statements, the newest first.', type: [AttestationItem] })
  items: AttestationItem[];

  @ApiProperty({
    description: 'Cursor of the next page; null: this is the last page.',
    type: String,
    nullable: true,
    example: null,
  })
  nextCursor: string | null;
}

export class AttestationKeyItem {
  @ApiProperty({ description: 'sha256 of the public key (SPKI, DER), in hex.', example: 'a1b2c3d4' })
  id: string;

  @ApiProperty({
    description: 'The public key, in PEM.',
    example: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
  })
  publicKey: string;

  @ApiProperty({ description: 'Since when the key signs.', format: 'date-time', example: '2026-11-28T12:00:00.000Z' })
  since: string;

  @ApiProperty({
    description: 'Until when the key signed; null: the key still signs.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  until: string | null;

  @ApiProperty({
    description:
      'Since when the key is revoked: statements that it signed later do not count; null: the key is not revoked.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  revokedFrom: string | null;

  @ApiProperty({
    description:
      'The signed statement of the previous key for this key, as a Sigstore bundle; null: this is the first key.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: null,
  })
  rotation: object | null;
}

export class AttestationKeysAnswer {
  @ApiProperty({ description: 'The keys, the newest first.', type: [AttestationKeyItem] })
  keys: AttestationKeyItem[];
}
