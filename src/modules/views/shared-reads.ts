/**
 * Lets those who ask the same at the same time share one read. A change is shown in every open tab at once, and all ask for the same page.
 * Nobody gets what was read before they asked: whoever comes during a read waits for the next one.
 */
export class SharedReads<T> {
  private readonly underWay = new Map<string, Promise<T>>();
  private readonly next = new Map<string, Promise<T>>();

  /** `key`: what is asked, and for whom where that matters. */
  read(key: string, read: () => Promise<T>): Promise<T> {
    const next = this.next.get(key);
    if (next) return next;
    const before = this.underWay.get(key);
    if (!before) return this.begin(key, read);
    const after = (): Promise<T> => {
      this.next.delete(key);
      return this.begin(key, read);
    };
    const coming = before.then(after, after);
    this.next.set(key, coming);
    return coming;
  }

  private begin(key: string, read: () => Promise<T>): Promise<T> {
    const reading = read();
    this.underWay.set(key, reading);
    const end = (): unknown => this.underWay.get(key) === reading && this.underWay.delete(key);
    reading.then(end, end);
    return reading;
  }
}
