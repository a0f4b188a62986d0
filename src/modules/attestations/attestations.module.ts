import { Module } from '@nestjs/common';
import { CodeHostsModule } from '../../code-hosts/code-hosts.module';
import { SharedModule } from '../shared/shared.module';
import { AttestationKeeper } from './attestation-keeper';
import { AttestationsController } from './attestations.controller';
import { AttestationsService } from './attestations.service';
import { SigningKeys } from './signing-keys';

/** Signed statements about merges, and their keys. */
@Module({
  imports: [CodeHostsModule, SharedModule],
  controllers: [AttestationsController],
  providers: [AttestationsService, AttestationKeeper, SigningKeys],
  exports: [AttestationsService],
})
export class AttestationsModule {}
