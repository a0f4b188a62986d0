import type { TestRunner } from '../runner';
import { jest, mocha, playwright, vitest } from './of-javascript';
import { pytest } from './pytest';

export const RUNNERS: readonly TestRunner[] = [pytest, playwright, vitest, jest, mocha];
