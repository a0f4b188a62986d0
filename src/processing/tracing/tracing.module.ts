import { Global, Module } from '@nestjs/common';
import { TraceWriter } from './trace-writer';
import { Traces } from './traces';

@Global()
@Module({ providers: [Traces, TraceWriter], exports: [Traces] })
export class TracingModule {}
