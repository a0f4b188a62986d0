import { engineStage } from './engine-stage';
import { play } from './play';
import { rowsOn } from './rows';

describe('on the engine alone', () => {
  it.each(rowsOn('engine'))('$id $title', async (row) => {
    expect(await play(row, engineStage())).toEqual([]);
  });
});

describe('on the engine, with every answer received twice', () => {
  it.each(rowsOn('engine'))('$id $title', async (row) => {
    expect(await play(row, engineStage('twice'))).toEqual([]);
  });
});
