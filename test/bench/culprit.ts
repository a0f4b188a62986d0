import { readCommandLine, WRITES } from '../support/command-line';
import { reportSearchCost } from './culprit/search-cost';
import { reportSearchInEngine, reportStoryInEngine } from './culprit/search-in-engine';
import { reportWholeStory } from './culprit/story';
import { reportArrivals } from './culprit/arrivals';
import { reportFlow } from './culprit/flow';
import { reportThroughput, type Sample } from './culprit/throughput';
import { reportVerdicts } from './culprit/verdicts';
import { printMachine } from './machine';
import { printNote, writeResults } from './results';

/**
 * The cost of finding culprits: tests and rounds to find one culprit, lost merges, and how often a wrong entry is
 * blamed.
 */
async function main(): Promise<void> {
  const begin = performance.now();
  const { values } = readCommandLine({
    script: 'bench:culprit',
    does: 'Counts test runs until the culprit of a batch is found. Ends with 1 if a figure is worse than the reference.',
    options: {
      ...WRITES,
      flow: { takes: 'TEXT', says: 'only rows of flow scheduling with this text in their name' },
      seeds: { takes: 'N', default: '5', says: 'seeds for each row with a goal' },
      merges: { takes: 'N', default: '1000', says: 'merges for each seed' },
    },
  });
  const sample = { seeds: Number(values.seeds), merges: Number(values.merges) };
  printMachine();
  const { flow } = values;
  const worse = flow === undefined ? await reportAll(sample) : await reportFlow(sample, flow);
  for (const sentence of worse) printNote(`worse than the reference: ${sentence}`);
  const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
  printNote(`\n${worse.length} figures worse than the reference, in ${minutes} minutes`);
  if (values.write) writeResults('culprit');
  if (worse.length > 0) process.exitCode = 1;
}

/** The seeds and merges for a table with many cells, which has one goal for all cells together or no goal. */
const FEW: Sample = { seeds: 2, merges: 600 };

async function reportAll(sample: Sample): Promise<readonly string[]> {
  const worse = [...reportSearchCost(), ...reportWholeStory(), ...reportSearchInEngine()];
  reportStoryInEngine();
  const { seeds, merges } = sample;
  const few = { seeds: Math.min(seeds, FEW.seeds), merges: Math.min(merges, FEW.merges) };
  worse.push(...(await reportThroughput(few)));
  worse.push(...(await reportFlow(sample)));
  worse.push(...(await reportArrivals(sample)));
  await reportVerdicts(few);
  return worse;
}

void main();
