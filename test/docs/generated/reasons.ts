import { reasonSentence } from '../../../src/engine/messages/reason-sentence';
import type { StateReason } from '../../../src/engine/vocabulary';
import { ERROR_CODES } from '../../../src/platform/errors/error-codes';
import { wordsOfType } from '../said';
import { type MakeBlock, markdownTable, rowsByCode } from './table';

/** Reasons of a type of the engine with their sentences. People write the last column. */
export function reasonsBlock(type: string): MakeBlock {
  return (present) => {
    const known = rowsByCode(present);
    const rows = wordsOfType(type).map((reason) => [
      `\`${reason}\``,
      sentence(reasonSentence(reason as StateReason)),
      known.get(reason)?.[2] ?? '',
    ]);
    return markdownTable(['`stateReason`', 'Meaning', 'What to do'], rows);
  };
}

/** Error codes with status and message. People write the last column. */
export function codesBlock(present: string): string {
  const known = rowsByCode(present);
  const rows = Object.entries(ERROR_CODES).map(([code, { status, example }]) => [
    `\`${code}\``,
    String(status),
    example,
    known.get(code)?.[3] ?? '',
  ]);
  return markdownTable(['`error.code`', 'Status', 'Message, for example', 'Cause, and what to do'], rows);
}

export function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}
