import { SpecInProcess } from './spec-in-process';

type Declare = (name: string, work: () => unknown) => void;
type Words = Record<'describe' | 'it', Declare> & Record<'beforeEach' | 'afterEach', (work: () => unknown) => void>;

function specOf(declare: (words: Words) => void): SpecInProcess {
  const spec = new SpecInProcess();
  declare(spec.words as unknown as Words);
  return spec;
}

describe('a spec that runs in the process of the mutation test', () => {
  it('has no problem if its examples pass', async () => {
    const spec = specOf(({ describe, it }) => describe('a line', () => it('lands', () => Promise.resolve())));
    expect(await spec.run()).toBeNull();
  });

  it('names the first failing example: a throw, a rejection, or a failure noticed afterwards', async () => {
    const thrown = specOf(({ it }) => {
      it('holds', () => undefined);
      it('breaks', () => {
        throw new Error('red');
      });
    });
    expect(await thrown.run()).toBe('breaks: Error: red');
    const rejected = specOf(({ it }) => it('breaks later', () => Promise.reject(new Error('red'))));
    expect(await rejected.run()).toBe('breaks later: Error: red');
    const seenAfterwards = specOf(({ it, afterEach }) => {
      afterEach(() => Promise.reject(new Error('a problem was left')));
      it('seems to hold', () => undefined);
    });
    expect(await seenAfterwards.run()).toBe('seems to hold: Error: a problem was left');
  });

  it('runs hooks before each example from the outside in, and hooks after it from the inside out', async () => {
    const seen: string[] = [];
    await specOf(({ describe, it, beforeEach, afterEach }) => {
      beforeEach(() => seen.push('outer'));
      afterEach(() => seen.push('outer cleared'));
      describe('inside', () => {
        beforeEach(() => seen.push('inner'));
        afterEach(() => seen.push('inner cleared'));
        it('runs', () => seen.push('example'));
      });
      it('runs outside', () => seen.push('another'));
    }).run();
    expect(seen).toEqual([
      ...['outer', 'inner', 'example', 'inner cleared', 'outer cleared'],
      ...['outer', 'another', 'outer cleared'],
    ]);
  });

  it('runs an example for every row of a table', async () => {
    const spec = new SpecInProcess();
    const { it } = spec.words as { it: { each: (rows: unknown[]) => Declare } };
    it.each([[1], [2]])('is one', ((number: number) => {
      if (number !== 1) throw new Error(`is ${number}`);
    }) as () => unknown);
    expect(await spec.run()).toBe('is one: Error: is 2');
  });
});
