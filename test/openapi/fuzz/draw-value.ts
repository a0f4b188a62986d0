import type { Dice } from '../../simulation/oracle/random';
import { type Document, resolved, type Schema } from '../document';

/** Draws a value that the schema allows or nearly allows. */
export function drawValue(document: Document, schema: Schema, dice: Dice): unknown {
  const own = resolved(document, schema);
  const alternatives = own.oneOf ?? [];
  if (alternatives.length > 0) return drawValue(document, oneOf(alternatives, dice), dice);
  if (own.enum !== undefined) return oneOf(own.enum, dice);
  switch (own.type) {
    case 'object':
      return drawObject(document, own, dice);
    case 'array':
      return Array.from({ length: dice.below(4) }, () => drawValue(document, own.items ?? {}, dice));
    case 'integer':
    case 'number':
      return drawNumber(own, dice);
    case 'boolean':
      return dice.happens(0.5);
    default:
      return drawText(own, dice);
  }
}

/** Draws one item; `from` must not be empty. */
export function oneOf<T>(from: readonly T[], dice: Dice): T {
  return from[dice.below(from.length)]!;
}

function drawObject(document: Document, { properties = {}, required = [] }: Schema, dice: Dice): object {
  const fields = Object.entries(properties).filter(([name]) => dice.happens(required.includes(name) ? 0.97 : 0.3));
  return Object.fromEntries(fields.map(([name, property]) => [name, drawValue(document, property, dice)]));
}

function drawNumber({ minimum = 0, maximum = 100 }: Schema, dice: Dice): number {
  return oneOf([minimum, maximum, 1, 2, minimum + dice.below(10), minimum - 1, maximum + 1], dice);
}

function drawText({ format }: Schema, dice: Dice): string {
  if (format === 'uuid') return '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11';
  if (format === 'date-time')
    return oneOf(['2026-11-14T00:00:00Z', '2026-11-20T00:00:00+05:30', '0000-01-01T00:00:00Z'], dice);
  return oneOf(['main', 'tests', 'demo', 'high', '3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49', 'ALL', '%', '\\'], dice);
}
