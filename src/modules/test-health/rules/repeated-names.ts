/** The stored codes: 0 passed, 1 failed, 2 skipped. */
export type OutcomeCode = 0 | 1 | 2;

/** The number of extra results by outcome. `passed`: results of names without a failure. */
export interface ExtraResults {
  readonly passed: number;
  readonly failed: number;
}

/** The state of a name. The states are numbers, because an upload may have a million names. */
const UNKNOWN = 0;
const PASSED = 1;
const FAILED = 2;
const SKIPPED = 3;
/** The name failed at least once and then passed once: a retry, or two tests with one name. */
const PASSED_LAST = 4;
/** Several tests with one name: together, they have their worst result. */
const ALL_PASSED = 5;
const ONE_FAILED = 6;
const ALL_SKIPPED = 7;
const IS_TAKEN = 8;

const FIRST: Readonly<Record<OutcomeCode, number>> = { 0: PASSED, 1: FAILED, 2: SKIPPED };
/** The maximum number of compared names, at 20 bytes each. */
const MOST_NAMES = 4_000_000;
/** The maximum length of each list. A name beyond this limit has failed if any of its results is a failure. */
const MOST_LISTED = 10_000;

/**
 * Finds names that are used several times in the reports of one run. Two tests with one name, one passed and one
 * failed, must not look like one retried test, because the test would become flaky.
 */
export class RepeatedNames {
  private keys = new Float64Array(1 << 10);
  private states = new Uint8Array(1 << 10);
  /** The number of results after the first one for each name, at most 255. */
  private extras = new Uint8Array(1 << 10);
  private names = 0;
  private readonly listedRetries = new Set<string>();
  private readonly listedRepeats = new Set<string>();
  private found = false;

  /** Call this method for every result, in the order of the reports. `id`: a UUID of version 5. */
  add(id: string, outcome: OutcomeCode): void {
    const slot = this.slotOf(id);
    if (slot === -1) return;
    const before = this.states[slot]!;
    if (before === UNKNOWN) {
      this.states[slot] = FIRST[outcome];
      this.names += 1;
      if (this.names * 2 > this.keys.length) this.grow();
      return;
    }
    this.found = true;
    if (this.extras[slot]! < 255) this.extras[slot]! += 1;
    this.states[slot] = this.listed(id, before, stateAfter(before, outcome));
  }

  /** Whether any name has several results. */
  get any(): boolean {
    return this.found;
  }

  /** The number of results after the first one of each name, without retries, by the result of the name. */
  get extraResults(): ExtraResults {
    const extra = { passed: 0, failed: 0 };
    for (const [slot, count] of this.extras.entries()) {
      if (count === 0) continue;
      const outcome = outcomeOf(this.states[slot]!);
      if (outcome === 1) extra.failed += count;
      else extra.passed += count;
    }
    return extra;
  }

  /** Tests that failed and then passed: retries, if no other test has their name. */
  get possibleRetries(): readonly string[] {
    return [...this.listedRetries];
  }

  /** Tests that share their name with another test. */
  get repeated(): readonly string[] {
    return [...this.listedRepeats];
  }

  /**
   * Returns a function that decides for each result whether to keep it. Call that function in the same order as `add`.
   */
  keeper(retries: ReadonlySet<string>): (id: string, outcome: OutcomeCode) => boolean {
    const states = this.states.slice();
    return (id, outcome) => {
      const slot = this.slotOf(id);
      const state = slot === -1 ? UNKNOWN : states[slot]!;
      if (state === UNKNOWN || (state === PASSED_LAST && retries.has(id))) return true;
      if (outcomeOf(state) !== outcome) return false;
      states[slot] = IS_TAKEN;
      return true;
    };
  }

  private listed(id: string, before: number, after: number): number {
    if (before === PASSED_LAST && after !== PASSED_LAST) this.listedRetries.delete(id);
    if (after === PASSED_LAST) {
      if (this.listedRetries.size === MOST_LISTED) return ONE_FAILED;
      this.listedRetries.add(id);
    }
    if (after >= ALL_PASSED && this.listedRepeats.size < MOST_LISTED) this.listedRepeats.add(id);
    return after;
  }

  /** The slot of a name; -1: too many names. 48 bits of its id identify a name. */
  private slotOf(id: string): number {
    const key = Number.parseInt(id.slice(24), 16) + 1;
    const mask = this.keys.length - 1;
    let slot = (key % 0x7fff_ffff) & mask;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) slot = (slot + 1) & mask;
    if (this.keys[slot] === key) return slot;
    if (this.names >= MOST_NAMES) return -1;
    this.keys[slot] = key;
    return slot;
  }

  private grow(): void {
    const { keys, states, extras } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.states = new Uint8Array(keys.length * 2);
    this.extras = new Uint8Array(keys.length * 2);
    const mask = this.keys.length - 1;
    for (const [index, key] of keys.entries()) {
      if (key === 0) continue;
      let slot = (key % 0x7fff_ffff) & mask;
      while (this.keys[slot] !== 0) slot = (slot + 1) & mask;
      this.keys[slot] = key;
      this.states[slot] = states[index]!;
      this.extras[slot] = extras[index]!;
    }
  }
}

function stateAfter(before: number, outcome: OutcomeCode): number {
  if (before === FAILED && outcome === 1) return FAILED;
  if (before === FAILED && outcome === 0) return PASSED_LAST;
  const worst = outcomeOf(before) === 1 || outcome === 1 ? 1 : outcomeOf(before) === 0 || outcome === 0 ? 0 : 2;
  return worst === 1 ? ONE_FAILED : worst === 0 ? ALL_PASSED : ALL_SKIPPED;
}

/** The result of a name if it is not a retry; null: a kept result already stands for the name. */
function outcomeOf(state: number): OutcomeCode | null {
  switch (state) {
    case PASSED:
    case ALL_PASSED:
      return 0;
    case SKIPPED:
    case ALL_SKIPPED:
      return 2;
    case IS_TAKEN:
      return null;
    default:
      return 1;
  }
}
