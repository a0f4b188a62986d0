import type { TestRunner } from '../runner';
import { bats } from './bats';
import { ctest } from './ctest';
import { gotestsum } from './gotestsum';
import { junit } from './junit';
import { minitest } from './minitest';
import { jest, mocha, playwright, vitest } from './of-javascript';
import { node } from './node';
import { phpunit } from './phpunit';
import { pytest } from './pytest';
import { robot } from './robot';
import { rspec } from './rspec';

export const RUNNERS: readonly TestRunner[] = [
  ...[playwright, vitest, jest, mocha, phpunit, pytest, ctest, gotestsum, bats, rspec, minitest, robot, node, junit],
];
