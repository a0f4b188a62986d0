import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { Extension } from '@sluice-queue/sluice';
import { AcmeHostAdapter } from './acme-host.adapter';
import { HotfixController } from './hotfix.controller';
import { Hotfixes } from './hotfixes';
import { Journal } from './journal';
import { JournalPage } from './journal.page';

@Extension({ name: 'acme', migrations: join(__dirname, '..', '..', 'migrations') })
@Module({
  controllers: [HotfixController],
  providers: [AcmeHostAdapter, Hotfixes, Journal, JournalPage],
})
export class AcmeModule {}
