import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Config } from '../config/config';
import { Endpoint } from '../openapi/endpoint';
import { SeenConnection } from './dto/connection.dto';
import { addressOf } from '../requests/tracked-request';

@ApiTags('Service')
@Controller('connection')
export class ConnectionController {
  constructor(private readonly config: Config) {}

  @Get()
  @Endpoint({
    summary: 'The request as it reaches the service through your proxies',
    description:
      'Shows whether SLUICE_TRUST_PROXY is right for the proxies in front of the service. `sluice doctor --url` uses it.',
    capability: 'read',
    response: SeenConnection,
  })
  getConnection(@Req() request: Request): SeenConnection {
    const { trustProxy, publicUrl } = this.config;
    return {
      address: addressOf(request),
      protocol: request.protocol,
      forwardedAddresses: addressesIn(request.get('x-forwarded-for') ?? ''),
      trustedProxies: trustProxy,
      publicUrl,
    };
  }
}

function addressesIn(forwardedFor: string): number {
  return forwardedFor.split(',').filter((address) => address.trim() !== '').length;
}
