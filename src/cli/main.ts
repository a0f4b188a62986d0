#!/usr/bin/env node
import '../platform/config/non-ascii-path';
import { runSluice } from './run-sluice';
import { processTerminal } from './terminal';

void runSluice(process.argv.slice(2), processTerminal()).then((exit) => {
  process.exitCode = exit;
});
