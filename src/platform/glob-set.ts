const ANY_ONE = -1;
const ANY_MANY = -2;
const END = -3;

/** Where a name may stand in the globs after some of its characters. */
interface State {
  readonly staying: Staying;
  /** Positions that wait for one more character, ascending. */
  readonly waiting: readonly number[];
  /** A name that ends here matches. */
  readonly isMatch: boolean;
  readonly next: Map<number, State>;
}

/** Positions at a `*`: they stay, whatever follows. Of each glob the last one reached is enough: it takes what an earlier one could. */
interface Staying {
  readonly key: string;
  readonly positions: readonly number[];
  /** The same by glob. */
  readonly last: ReadonlyMap<number, number>;
  /** A glob ends behind its `*`: any name that comes so far matches. */
  readonly isCertain: boolean;
  /** By character: the positions that they lead to. */
  readonly moves: Map<number, readonly number[]>;
}

/** Size of the states that are kept, counted in positions. */
const KEPT_AT_MOST = 500_000;
const STATE = 32;

/**
 * Globs, compiled to one automaton whose states are made while names are read. Each character of a name is read once,
 * however many globs there are; where its state is known, that is one look-up. `*` stands for any characters, `?` for one.
 */
export class GlobSet {
  /** Positions looked at to make states, so far. */
  effort = 0;
  /** All globs, one behind another, as code points. */
  private readonly tokens: readonly number[];
  /** The glob that each token is part of. */
  private readonly globs: readonly number[];
  private readonly start: State;
  private readonly states = new Map<string, State>();
  private readonly stayings = new Map<string, Staying>();
  private kept = 0;

  constructor(globs: readonly string[]) {
    const each = globs.map((glob) => [...[...glob.replace(/\*+/g, '*')].map(tokenOf), END]);
    this.tokens = each.flat();
    this.globs = each.flatMap((tokens, i) => tokens.map(() => i));
    const starts = this.tokens.flatMap((_, at) => (this.globs[at - 1] === this.globs[at] ? [] : [at]));
    this.start = this.stateOf([], starts);
  }

  /** Whether one of them matches the whole name; null when so much effort does not tell. */
  matches(name: string, effortAtMost = Infinity): boolean | null {
    const giveUpAt = this.effort + effortAtMost;
    let state = this.start;
    for (let i = 0; i < name.length && !state.staying.isCertain;) {
      if (state.waiting.length + state.staying.positions.length === 0) return false;
      if (this.effort > giveUpAt) return null;
      const character = name.codePointAt(i)!;
      i += character > 0xffff ? 2 : 1;
      state = state.next.get(character) ?? this.follow(state, character);
    }
    return state.isMatch;
  }

  /** Which of them match the whole name, by their positions in the list; null when so much effort does not tell. */
  matching(name: string, effortAtMost = Infinity): readonly number[] | null {
    const giveUpAt = this.effort + effortAtMost;
    let state = this.start;
    for (const one of name) {
      if (this.effort > giveUpAt) return null;
      const character = one.codePointAt(0)!;
      state = state.next.get(character) ?? this.follow(state, character);
    }
    const { staying, waiting } = state;
    const ended = [...waiting, ...staying.positions.map((at) => at + 1)].filter((at) => this.tokens[at] === END);
    return ascending(ended.map((at) => this.globs[at]!));
  }

  private follow(state: State, character: number): State {
    const { staying, waiting } = state;
    const moves = staying.moves.get(character) ?? this.movesOf(staying, character);
    const reached = [...waiting.filter((at) => this.takes(at, character)).map((at) => at + 1), ...moves];
    this.effort += waiting.length + moves.length;
    this.forgetAll();
    const next = this.stateOf(staying.positions, reached);
    state.next.set(character, next);
    return next;
  }

  private movesOf(staying: Staying, character: number): readonly number[] {
    const moves = staying.positions.filter((at) => this.takes(at + 1, character)).map((at) => at + 2);
    this.effort += staying.positions.length;
    this.kept += moves.length + 1;
    staying.moves.set(character, moves);
    return moves;
  }

  private stateOf(stayed: readonly number[], reached: readonly number[]): State {
    const isAtMany = (at: number): boolean => this.tokens[at] === ANY_MANY;
    const many = reached.filter(isAtMany);
    const staying = many.length === 0 ? this.stayingAt(stayed) : this.stayingAt(this.lastOfEach([...stayed, ...many]));
    const waiting = ascending(reached.filter((at) => !isAtMany(at) && at > (staying.last.get(this.globs[at]!) ?? -1)));
    const key = `${staying.key}/${waiting.join()}`;
    const known = this.states.get(key);
    if (known) return known;
    const isMatch = staying.isCertain || waiting.some((at) => this.tokens[at] === END);
    const state: State = { staying, waiting, isMatch, next: new Map() };
    this.states.set(key, state);
    this.kept += STATE + waiting.length;
    return state;
  }

  private lastOfEach(positions: readonly number[]): readonly number[] {
    return [...new Map(ascending(positions).map((at) => [this.globs[at], at])).values()];
  }

  private stayingAt(positions: readonly number[]): Staying {
    const list = positions.join();
    const known = this.stayings.get(list);
    if (known) return known;
    const isCertain = positions.some((at) => this.tokens[at + 1] === END);
    const last = new Map(positions.map((at) => [this.globs[at]!, at]));
    const staying: Staying = { key: String(this.stayings.size), positions, last, isCertain, moves: new Map() };
    this.stayings.set(list, staying);
    this.kept += STATE + positions.length;
    return staying;
  }

  /** Names that always lead to new states must not fill the memory. */
  private forgetAll(): void {
    if (this.kept <= KEPT_AT_MOST) return;
    this.kept = 0;
    this.states.clear();
    this.stayings.clear();
    this.start.next.clear();
    this.start.staying.moves.clear();
  }

  private takes(at: number, character: number): boolean {
    return this.tokens[at] === character || this.tokens[at] === ANY_ONE;
  }
}

function tokenOf(character: string): number {
  if (character === '*') return ANY_MANY;
  return character === '?' ? ANY_ONE : character.codePointAt(0)!;
}

function ascending(positions: readonly number[]): readonly number[] {
  return [...new Set(positions)].sort((a, b) => a - b);
}
