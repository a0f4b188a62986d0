import { Injectable } from '@nestjs/common';
import type { CommentMade } from '../code-hosts/code-host.port';

type Listener = (comment: CommentMade) => Promise<void>;

/** Hands what people write to the one who understands it, who may be asked about the same comment again. */
@Injectable()
export class CommentNews {
  private listener: Listener | null = null;

  /** Called once, at the start. */
  listen(listener: Listener): void {
    this.listener = listener;
  }

  /** Throws before anybody listens: the comment is then told again. */
  async tell(comment: CommentMade): Promise<void> {
    if (this.listener === null) throw new Error('Nobody reads comments yet.');
    await this.listener(comment);
  }
}
