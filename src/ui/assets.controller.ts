import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { OpenToAll } from '../platform/auth/access.decorators';
import { DomainError } from '../platform/errors/domain-error';
import { ERROR_CODES } from '../platform/errors/error-codes';
import { assetNamed } from './assets';

/**
 * Serves style sheet, script and icon. The files are public, because the sign-in page needs them and they contain no
 * data.
 */
@Controller('ui/assets')
@ApiExcludeController()
@OpenToAll()
export class AssetsController {
  @Get(':name')
  send(@Param('name') name: string, @Query('v') version: unknown, @Res() response: Response): void {
    const asset = assetNamed(name);
    if (asset === undefined) throw new DomainError('NOT_FOUND', ERROR_CODES.NOT_FOUND.example);
    // During a rolling update, a browser may request another version of the asset. It gets the current file, without
    // permission to cache it.
    const kept = version === asset.version ? 'public, max-age=31536000, immutable' : 'no-cache';
    response.setHeader('Cache-Control', kept);
    response.type(asset.type).send(asset.content);
  }
}
