import { cutTo, MAX_ATTRIBUTE_CHARACTERS, MAX_FAILURE_TEXT_CHARACTERS } from './limits';
import type { ReportedFailure } from './reported-result';

/** Message and stack of a failure, collected in pieces. */
export class FailureText {
  private message = '';
  private text = '';

  get isEmpty(): boolean {
    return this.message === '' && this.text === '';
  }

  addMessage(piece: string): void {
    this.message = within(MAX_ATTRIBUTE_CHARACTERS, this.message, piece);
  }

  addText(piece: string): void {
    this.text = within(MAX_FAILURE_TEXT_CHARACTERS, this.text, piece);
  }

  joined(): ReportedFailure {
    return {
      message: cutTo(MAX_ATTRIBUTE_CHARACTERS, this.message).trim(),
      text: cutTo(MAX_FAILURE_TEXT_CHARACTERS, this.text).trim(),
    };
  }
}

/** Keeps one character more than the limit, so that the later cut leaves a mark. */
function within(characters: number, before: string, piece: string): string {
  const remaining = characters + 1 - before.length;
  return remaining > 0 ? before + piece.slice(0, remaining) : before;
}
