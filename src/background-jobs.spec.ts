import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { BACKGROUND_JOBS } from './background-jobs';

/** Every `Class.method` of the product that is marked as a background job. */
function markedJobs(): string[] {
  return globSync('src/**/*.ts', { ignore: ['**/*.spec.ts'] }).flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const marks = source.matchAll(/@BackgroundJob\([^)]*\)\s+(?:async )?(\w+)\(/g);
    return [...marks].map(([, method]) => `${/export class (\w+)/.exec(source)?.[1]}.${method}`);
  });
}

describe('The list of background jobs', () => {
  it('names exactly the methods that are marked as jobs', () => {
    expect(BACKGROUND_JOBS.map(({ of }) => of).toSorted()).toEqual(markedJobs().toSorted());
  });
});
