import { Module } from '@nestjs/common';
import { Doctor } from './doctor';
import { QueueExamination } from './queue-examination';

/**
 * This module is not part of the running service: `examine-installation.ts` adds it to an application without
 * background jobs.
 */
@Module({ providers: [Doctor, QueueExamination] })
export class DoctorModule {}
