import { AREAS } from './areas';
import { EQUIVALENTS } from './equivalents';
import { makeMutants } from './make-mutants';
import { keyOf } from './mutant';
import { readSources } from './project/sources';

describe('the reasons why mutants survive', () => {
  const sources = readSources();
  const made = new Set(AREAS.flatMap((area) => makeMutants(sources, area)).map(keyOf));

  it('each belong to a mutant that the mutation test still makes', () => {
    expect(EQUIVALENTS.map(keyOf).filter((key) => !made.has(key))).toEqual([]);
  });

  it('are given only once per mutant', () => {
    const keys = EQUIVALENTS.map(keyOf);
    expect(keys.filter((key, at) => keys.indexOf(key) < at)).toEqual([]);
  });
});
