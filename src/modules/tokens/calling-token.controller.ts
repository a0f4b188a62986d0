import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PrismaService } from '../../platform/database/prisma.service';
import { Endpoint } from '../../platform/openapi/endpoint';
import type { Caller } from '../../platform/requests/caller';
import { CurrentCaller } from '../../platform/auth/current-caller';
import { CallingToken } from './dto/calling-token.dto';

@ApiTags('Tokens')
@Controller('token')
export class CallingTokenController {
  constructor(private readonly prisma: PrismaService) {}

  @Get()
  @Endpoint({
    summary: 'Show the token of the request and its permissions',
    description: 'With this request, a program can offer only the permitted actions.',
    capability: 'read',
    response: CallingToken,
  })
  async getCallingToken(@CurrentCaller() caller: Caller): Promise<CallingToken> {
    const { organizationSlug, tokenName, role, capabilities, bestPriority } = caller;
    return {
      ...{ organization: organizationSlug, name: tokenName, role, capabilities: [...capabilities], bestPriority },
      repositories: await this.limitedTo(caller),
    };
  }

  private async limitedTo({ organizationId, repositoryIds }: Caller): Promise<CallingToken['repositories']> {
    if (repositoryIds === null) return null;
    return this.prisma.repository.findMany({
      where: { organizationId, id: { in: [...repositoryIds] } },
      select: { host: true, owner: true, name: true },
      orderBy: [{ host: 'asc' }, { lookupName: 'asc' }],
    });
  }
}
