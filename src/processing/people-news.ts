import { Injectable } from '@nestjs/common';
import type { PeopleNews } from '../code-hosts/code-host.port';

type NewsOf<Type extends PeopleNews['type']> = Extract<PeopleNews, { readonly type: Type }>;
type Listener = (news: PeopleNews) => Promise<void>;

/** Hands what people do at pull requests to those who understand it, who may be told of the same thing again. */
@Injectable()
export class PeopleNewsRoom {
  private readonly listeners = new Map<PeopleNews['type'], Listener>();

  /** Called once for a type, at the start. */
  listen<Type extends PeopleNews['type']>(type: Type, listener: (news: NewsOf<Type>) => Promise<void>): void {
    this.listeners.set(type, (news) => listener(news as NewsOf<Type>));
  }

  /** Throws before anybody listens: the news is then told again. */
  async tell(news: PeopleNews): Promise<void> {
    const listener = this.listeners.get(news.type);
    if (listener === undefined) throw new Error(`Nobody listens to ${news.type} yet.`);
    await listener(news);
  }
}
