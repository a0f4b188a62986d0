import { Module } from '@nestjs/common';
import { Doctor } from './doctor';
import { QueueExamination } from './queue-examination';

/** No part of the running service: `examine-installation.ts` adds it to one that does nothing by itself. */
@Module({ providers: [Doctor, QueueExamination] })
export class DoctorModule {}
