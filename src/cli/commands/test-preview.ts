import type { Command } from 'commander';
import { describeRepository, parseJson } from '../arguments';
import { askingService } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';
import type { Terminal } from '../terminal';
import { asked, type TestsOptions } from './asked-tests';

interface Options extends TestsOptions {
  readonly monitors: unknown;
}

interface Preview {
  readonly tests: readonly {
    readonly test_case_id: string;
    readonly name: string;
    readonly status: string;
    readonly would_be: string;
    readonly reason: string;
  }[];
  readonly flaky: number;
  readonly broken: number;
  readonly changed: number;
  readonly complete: boolean;
}

/** Shows the effect of monitors before `settings --monitors` saves them. */
export function addTestPreview(command: Command, terminal: Terminal): void {
  command.requiredOption('--monitors <json>', 'all monitors, as sluice tests settings --json shows them', parseJson);
  askingService<Options>(command, terminal, async ({ args, options }, api) => {
    const request = { ...asked(args, options), monitors: options.monitors };
    const preview = await api.post<Preview>('flaky-tests/preview-monitors', request);
    return { data: preview, lines: linesOf(describeRepository(args[0] as RepositoryName), preview) };
  });
}

function linesOf(repository: string, { tests, flaky, broken, changed, complete }: Preview): string[] {
  return [
    `${repository}: ${flaky} flaky, ${broken} broken, ${changed} with another status than now`,
    ...tests
      .filter((test) => test.status !== test.would_be)
      .map((test) => `  ${test.test_case_id}  ${test.status} -> ${test.would_be}  ${test.name} (${test.reason})`),
    ...(complete ? [] : ['  The preview is incomplete: not every test was examined or listed.']),
  ];
}
