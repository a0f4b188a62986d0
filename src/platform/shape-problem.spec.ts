import { z } from 'zod';
import { shapeOf, shapeProblem } from './shape-problem';

describe('shapeProblem', () => {
  const SHAPE = shapeOf<{ name: string; size: number; isOpen: boolean; kind: string; parts: object[] }>({
    name: z.string(),
    size: z.number(),
    isOpen: z.boolean(),
    kind: z.enum(['one', 'two']),
    parts: z.array(z.discriminatedUnion('type', [z.looseObject({ type: z.literal('leaf') })])).max(2),
  });
  const right = { name: 'a', size: 1, isOpen: true, kind: 'one', parts: [{ type: 'leaf', since: 'a newer version' }] };

  it('accepts a value that has the shape, whatever other fields it has', () => {
    expect(shapeProblem(SHAPE, { ...right, more: 7 })).toBeNull();
  });

  it.each([
    ['it is no object', []],
    ['name is no text', { ...right, name: 7 }],
    ['size is no number', { ...right, size: Number.NaN }],
    ['isOpen is neither true nor false', { ...right, isOpen: 'yes' }],
    ['kind is none of one, two', { ...right, kind: 'three' }],
    ['parts is no list', { ...right, parts: {} }],
    ['parts has more than 2 elements', { ...right, parts: Array.from({ length: 3 }, () => ({ type: 'leaf' })) }],
    ['parts[1].type is none of leaf', { ...right, parts: [{ type: 'leaf' }, { type: 'tree' }] }],
  ])('names the field and the allowed values: %s', (problem, value) => {
    expect(shapeProblem(SHAPE, value)).toBe(problem);
  });
});
