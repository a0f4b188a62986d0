import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { AdmitAs } from '../../platform/http/admission-control';
import { Endpoint } from '../../platform/openapi/endpoint';
import { AttestationsService } from './attestations.service';
import {
  AttestationBundleQuery,
  AttestationKeysAnswer,
  AttestationsAnswer,
  AttestationsQuery,
} from './dto/attestations.dto';

const CONTENT_TYPE = 'application/octet-stream';

@ApiTags('Attestations')
@Controller('attestations')
export class AttestationsController {
  constructor(private readonly attestations: AttestationsService) {}

  @Get()
  @Endpoint({
    summary: 'Signed statements about merges',
    description: 'For one commit or one branch: commits before and after the merge, tests, reports and settings.',
    capability: 'read',
    response: AttestationsAnswer,
    errors: ['VALIDATION_FAILED', 'REPOSITORY_NOT_FOUND'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: AttestationsQuery): Promise<AttestationsAnswer> {
    return this.attestations.list(caller, query);
  }

  @Get('keys')
  @Endpoint({
    summary: 'The public keys of signed statements',
    description: '`sluice verify --key` takes the answer as a file. The answer includes revoked keys, too.',
    capability: 'read',
    response: AttestationKeysAnswer,
  })
  listKeys(): Promise<AttestationKeysAnswer> {
    return this.attestations.keys();
  }

  @Get('bundle')
  @AdmitAs('last')
  @Endpoint({
    summary: 'A file for `sluice verify`',
    description:
      'A git bundle with at most 10,000 statements of a branch, the keys, and the heads of the pull requests, because no clone has these heads after a squash.',
    capability: 'read',
    errors: ['VALIDATION_FAILED', 'REPOSITORY_NOT_FOUND', 'ATTESTATION_NOT_FOUND', 'UPSTREAM_ERROR'],
  })
  @ApiProduces(CONTENT_TYPE)
  @ApiOkResponse({
    description: 'The file.',
    content: { [CONTENT_TYPE]: { schema: { type: 'string', format: 'binary' } } },
  })
  async getBundle(
    @CurrentCaller() caller: Caller,
    @Query() query: AttestationBundleQuery,
    @Res() response: Response,
  ): Promise<void> {
    const file = await this.attestations.bundle(caller, query);
    try {
      response.setHeader('Content-Type', CONTENT_TYPE);
      response.setHeader('Content-Disposition', 'attachment; filename="statements.bundle"');
      await pipeline(createReadStream(file.path), response);
    } finally {
      await file.remove();
    }
  }
}
