import { Module } from '@nestjs/common';
import { SharedModule } from '../../../shared/shared.module';
import { MonitorsModule } from '../mutes/monitors.module';
import { KnownTests } from '../../storage/uploads/known-tests';
import { StoredUploads } from '../../storage/uploads/upload-summary';
import { UploadStore } from '../../storage/uploads/upload-store';
import { UploadsController } from './uploads.controller';
import { UploadsService } from './uploads.service';

@Module({
  imports: [MonitorsModule, SharedModule],
  controllers: [UploadsController],
  providers: [KnownTests, StoredUploads, UploadsService, UploadStore],
  exports: [UploadsService],
})
export class UploadsModule {}
