/** Larger sets are not compared with other uploads. */
const MOST_TESTS = 262_144;
export const KEY_BYTES = 8;
const FREE = -1;
const DIGIT_ZERO = '0'.charCodeAt(0);
const DIGIT_NINE = '9'.charCodeAt(0);
const LETTER_A = 'a'.charCodeAt(0);

/**
 * The distinct tests of an upload. For each test, the set keeps only the first 64 bits of the id. The stored form is
 * sorted, so that one pass compares two sets, and equal sets have equal bytes.
 */
export class TestSet {
  /** Two 32-bit numbers for each test, in the order of arrival. */
  private keys = new Uint32Array(2_048);
  /** A hash table with the index of each key in `keys`. It uses open addressing, and is at most half full. */
  private places = new Int32Array(2_048).fill(FREE);
  private count = 0;
  private overflows = false;

  /** Adds a lower-case UUID. Returns the index of the UUID in the order of arrival; -1: the set is full. */
  add(id: string): number {
    const high = hexNumber(id, 0, 8);
    const low = hexNumber(id, 9, 13) * 0x1_0000 + hexNumber(id, 14, 18);
    const place = this.placeOf(high, low);
    const known = this.places[place]!;
    if (known !== FREE) return known;
    if (this.count === MOST_TESTS) {
      this.overflows = true;
      return -1;
    }
    const index = this.count++;
    if (index * 2 === this.keys.length) this.keys = enlarged(this.keys);
    this.keys[index * 2] = high;
    this.keys[index * 2 + 1] = low;
    this.places[place] = index;
    if (this.count * 2 > this.places.length) this.placeAll(this.places.length * 2);
    return index;
  }

  has(id: string): boolean {
    return this.indexOf(id) !== -1;
  }

  /** The index of the UUID; -1: the UUID is not in the set. */
  indexOf(id: string): number {
    const high = hexNumber(id, 0, 8);
    const low = hexNumber(id, 9, 13) * 0x1_0000 + hexNumber(id, 14, 18);
    return this.places[this.placeOf(high, low)]!;
  }

  get size(): number {
    return this.count;
  }

  /** Whether some of the added tests are missing. */
  get isTooLarge(): boolean {
    return this.overflows;
  }

  /** Drops the tests that were added after the set had this size. */
  cutTo(size: number): void {
    if (size >= this.count) return;
    this.count = size;
    this.placeAll(this.places.length);
  }

  /** The selected tests in the stored form. `selects` gets the index of a test. Null: too many tests. */
  toBytes(selects: (index: number) => boolean = () => true): Buffer | null {
    if (this.overflows) return null;
    const keys = new BigUint64Array(this.count);
    let count = 0;
    for (let at = 0; at < this.count; at++) {
      if (selects(at)) keys[count++] = (BigInt(this.keys[at * 2]!) << 32n) | BigInt(this.keys[at * 2 + 1]!);
    }
    const sorted = keys.subarray(0, count).sort();
    const bytes = Buffer.alloc(count * KEY_BYTES);
    sorted.forEach((key, at) => bytes.writeBigUInt64BE(key, at * KEY_BYTES));
    return bytes;
  }

  private placeAll(length: number): void {
    this.places = new Int32Array(length).fill(FREE);
    for (let at = 0; at < this.count; at++) {
      this.places[this.placeOf(this.keys[at * 2]!, this.keys[at * 2 + 1]!)] = at;
    }
  }

  private placeOf(high: number, low: number): number {
    const { keys, places } = this;
    const last = places.length - 1;
    // The slot comes from the upper half of an id. Ids are hashes, but the lower half contains the version of the UUID.
    let place = high & last;
    for (;;) {
      const at = places[place]!;
      if (at === FREE || (keys[at * 2] === high && keys[at * 2 + 1] === low)) return place;
      place = (place + 1) & last;
    }
  }
}

/** This function is ten times as fast as parseInt, and is called for each result of an upload. */
function hexNumber(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    number = number * 16 + (code <= DIGIT_NINE ? code - DIGIT_ZERO : code - LETTER_A + 10);
  }
  return number;
}

function enlarged(keys: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(keys.length * 2);
  larger.set(keys);
  return larger;
}

/** The keys of `expected` that are not in `found`, both as bytes of a TestSet. */
export function missingKeys(expected: Buffer, found: Buffer): bigint[] {
  const missing: bigint[] = [];
  let at = 0;
  for (let place = 0; place < expected.length; place += KEY_BYTES) {
    const key = expected.readBigUInt64BE(place);
    while (at < found.length && found.readBigUInt64BE(at) < key) at += KEY_BYTES;
    if (at >= found.length || found.readBigUInt64BE(at) !== key) missing.push(key);
  }
  return missing;
}

/** The keys that are in both sets; the sets are bytes of a TestSet. */
export function sharedKeys(one: Buffer, other: Buffer): bigint[] {
  const missing = new Set(missingKeys(one, other));
  const shared: bigint[] = [];
  for (let place = 0; place < one.length; place += KEY_BYTES) {
    const key = one.readBigUInt64BE(place);
    if (!missing.has(key)) shared.push(key);
  }
  return shared;
}

/** The keys of `one` that are not in `other`; the sets and the result are bytes of a TestSet. */
export function without(one: Buffer, other: Buffer): Buffer {
  return bytesOf(missingKeys(one, other));
}

/** The keys that are in both sets, as bytes of a TestSet. */
export function common(one: Buffer, other: Buffer): Buffer {
  return without(one, without(one, other));
}

/** The keys that are in any of the sets, as bytes of a TestSet. */
export function union(sets: readonly Buffer[]): Buffer {
  const keys = new Set<bigint>();
  for (const set of sets) {
    for (let place = 0; place < set.length; place += KEY_BYTES) keys.add(set.readBigUInt64BE(place));
  }
  return bytesOf([...new BigUint64Array([...keys]).sort()]);
}

function bytesOf(sorted: readonly bigint[]): Buffer {
  const bytes = Buffer.alloc(sorted.length * KEY_BYTES);
  sorted.forEach((key, at) => bytes.writeBigUInt64BE(key, at * KEY_BYTES));
  return bytes;
}

/** The range of ids that a key can stand for, as UUIDs. */
export function idsOfKey(key: bigint): readonly [first: string, last: string] {
  const text = key.toString(16).padStart(16, '0');
  const begin = `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12)}`;
  return [`${begin}-0000-000000000000`, `${begin}-ffff-ffffffffffff`];
}

/** The key of a test by its id, a lower-case UUID. */
export function keyOfId(id: string): bigint {
  return BigInt(`0x${id.replaceAll('-', '').slice(0, KEY_BYTES * 2)}`);
}
