import { engineStage } from './engine-stage';
import { play } from './play';
import { rowsOn } from './rows';

describe('on the engine alone, the scenario', () => {
  it.each(rowsOn('engine'))('$id $title', async (row) => {
    expect(await play(row, engineStage())).toEqual([]);
  });
});

describe('on the engine, which gets every answer of the code host twice, the scenario', () => {
  it.each(rowsOn('engine'))('$id $title', async (row) => {
    expect(await play(row, engineStage('twice'))).toEqual([]);
  });
});
