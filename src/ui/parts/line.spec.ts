import type { RunPicture } from '../../modules/views/run-picture.dto';
import { placeInLanes } from './line';

const run = (member: number, ...builtOn: number[]) =>
  ({ members: [{ prNumber: member }], builtOn }) as unknown as RunPicture;
const placesOf = (...runs: RunPicture[]) => placeInLanes(runs).map(({ first, span }) => [first, span]);

describe('Lanes', () => {
  it('begin with runs that are not built on another run', () => {
    expect(placesOf(run(1), run(2), run(3))).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
  });

  it('have each run below the run on which it is built; a run that is built on two lanes spans both', () => {
    expect(placesOf(run(1), run(2), run(3, 1), run(4, 1, 2), run(5, 2))).toEqual([
      [0, 1],
      [1, 1],
      [0, 1],
      [0, 2],
      [1, 1],
    ]);
  });

  it('are at most four side by side', () => {
    expect(placesOf(run(1), run(2), run(3), run(4), run(5), run(6, 5))).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [0, 1],
      [0, 1],
    ]);
  });

  it('form bands of four lanes, each with the runs that are built on them', () => {
    const placed = placeInLanes([run(1), run(2), run(3), run(4), run(5), run(6, 1, 3), run(7, 2, 5), run(8, 5)]);
    expect(placed.map(({ band, first, span, begins }) => [band, first, span, begins])).toEqual([
      [0, 0, 1, 0],
      [0, 1, 1, 1],
      [0, 2, 1, 2],
      [0, 3, 1, 3],
      [1, 0, 1, 4],
      [0, 0, 3, null],
      [1, 0, 1, null],
      [1, 0, 1, null],
    ]);
  });

  it('begin again for a run that was built on a merged run', () => {
    expect(placesOf(run(2, 1), run(3, 2))).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });
});
