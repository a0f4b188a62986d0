import { Module } from '@nestjs/common';
import { SharedModule } from '../shared/shared.module';
import { TestHealthController } from './test-health.controller';
import { TestHealthService } from './test-health.service';

@Module({ imports: [SharedModule], controllers: [TestHealthController], providers: [TestHealthService] })
export class TestHealthModule {}
