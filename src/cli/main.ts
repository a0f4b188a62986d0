#!/usr/bin/env node
import { runSluice } from './run-sluice';
import { processTerminal } from './terminal';

void runSluice(process.argv.slice(2), processTerminal()).then((exit) => {
  process.exitCode = exit;
});
