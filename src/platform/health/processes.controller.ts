import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../openapi/endpoint';
import { ListedProcesses } from './processes.dto';
import { ProcessListReader } from './process-list';

@ApiTags('Service')
@Controller('processes')
export class ProcessesController {
  constructor(private readonly reader: ProcessListReader) {}

  @Get()
  @Endpoint({
    summary: 'The processes of the service: version, since when, last seen, settings',
    description: 'Data that each process reports every five seconds, and whether the settings of all processes agree.',
    capability: 'administer',
    response: ListedProcesses,
  })
  listProcesses(): Promise<ListedProcesses> {
    return this.reader.list();
  }
}
