import { existsSync } from 'node:fs';
import { Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../src/platform/config/config';
import { TestService } from '../../src/testing';
import { Service } from './service';

let dataDirectory = '';
let stopped = 0;

@Module({})
class FailingModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly config: Config) {}

  onModuleInit(): void {
    dataDirectory = this.config.dataDirectory;
    throw new Error('The tracker does not answer.');
  }

  onApplicationShutdown(): void {
    stopped += 1;
  }
}

describe('A start of the service that fails', () => {
  beforeEach(() => (stopped = 0));

  it('stops everything that had started, for the tests of this project', async () => {
    const start = Service.inMemory({}, [FailingModule]);
    await expect(start).rejects.toThrow('The tracker does not answer.');
    expect(stopped).toBe(1);
  });

  it('stops everything that had started and removes its files, for the tests of extensions', async () => {
    const start = TestService.start({ extensions: [FailingModule] });
    await expect(start).rejects.toThrow('The tracker does not answer.');
    expect(dataDirectory).toContain('sluice-extension-test-');
    expect([stopped, existsSync(dataDirectory)]).toEqual([1, false]);
  });
});
