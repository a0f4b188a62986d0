import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Endpoint } from '@sluice-queue/sluice';
import { HotfixRecord, HotfixRequest, JournalAnswer } from './hotfix.dto';
import { Hotfixes, TOO_MANY_HOTFIXES } from './hotfixes';
import { Journal } from './journal';

@ApiTags('Acme')
@Controller('acme')
export class HotfixController {
  constructor(
    private readonly hotfixes: Hotfixes,
    private readonly journal: Journal,
  ) {}

  @Post('hotfix')
  @Endpoint({
    summary: 'Submit a pull request that passes the line',
    capability: 'submit',
    request: HotfixRequest,
    response: HotfixRecord,
    errors: [TOO_MANY_HOTFIXES, 'REPOSITORY_NOT_FOUND', 'MERGE_QUEUE_NOT_FOUND', 'PR_NOT_FOUND'],
  })
  hotfix(@CurrentCaller() caller: Caller, @Body() request: HotfixRequest): Promise<HotfixRecord> {
    return this.hotfixes.submit(caller, request);
  }

  @Get('journal')
  @Endpoint({
    summary: 'The latest moves of pull requests in your queues',
    capability: 'read',
    response: JournalAnswer,
  })
  async latest(@CurrentCaller() caller: Caller): Promise<JournalAnswer> {
    return { moves: await this.journal.latest(caller) };
  }
}
