/**
 * Requests for the same data at the same time share one read, because after a change every open browser tab requests
 * the same page. No request gets data from before its arrival: requests that arrive during a read share the next read.
 */
export class SharedReads<T> {
  private readonly underWay = new Map<string, Promise<T>>();
  private readonly next = new Map<string, Promise<T>>();

  /** `key`: the requested data, and the caller if the answer depends on it. */
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
