import { Module } from '@nestjs/common';
import { SharedModule } from '../../shared/shared.module';
import { MonitorsModule } from '../monitors/monitors.module';
import { KnownTests } from './known-tests';
import { StoredUploads } from './stored-uploads';
import { UploadStore } from './upload-store';
import { UploadsController } from './uploads.controller';
import { UploadsService } from './uploads.service';

@Module({
  imports: [MonitorsModule, SharedModule],
  controllers: [UploadsController],
  providers: [KnownTests, StoredUploads, UploadsService, UploadStore],
  exports: [UploadsService],
})
export class UploadsModule {}
