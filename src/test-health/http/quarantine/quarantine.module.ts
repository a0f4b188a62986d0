import { Module } from '@nestjs/common';
import { SharedModule } from '../../../shared/shared.module';
import { QuarantineController } from './quarantine.controller';
import { QuarantineService } from './quarantine.service';

@Module({ imports: [SharedModule], controllers: [QuarantineController], providers: [QuarantineService] })
export class QuarantineModule {}
