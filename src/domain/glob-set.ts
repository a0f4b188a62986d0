import { DIALECTS, type GlobDialect, SLASH, type GlobToken } from './glob-dialects';

/** The positions in the globs that a name may have reached after some of its characters. */
interface State {
  readonly staying: Staying;
  /** Positions that wait for one more character, ascending. */
  readonly waiting: readonly number[];
  /** Whether a name that ends in this state matches. */
  readonly isMatch: boolean;
  readonly next: Map<number, State>;
}

/**
 * Positions inside a `*`, which stay reached whatever character follows. For each branch only the last of these
 * positions is kept, because everything that an earlier position accepts is accepted from it, too.
 */
interface Staying {
  readonly key: string;
  readonly positions: readonly number[];
  /** The same positions by branch. */
  readonly last: ReadonlyMap<number, number>;
  /** The positions directly behind `positions`. */
  readonly exits: ReadonlySet<number>;
  /** Whether a glob ends directly behind one of `positions`, so that any name that reaches this state matches. */
  readonly isCertain: boolean;
  /** The positions to which each character leads. */
  readonly moves: Map<number, readonly number[]>;
}

/** The maximum size of all cached states, counted in positions. */
const KEPT_AT_MOST = 500_000;
const STATE = 32;
/** The steps that `matchesGlob` may take for each character of glob and text. Usual globs need a tenth of this. */
const STEPS = 16;
const STEPS_AT_LEAST = 20_000;

/** Whether the glob matches the whole text, in linear time: a glob that was made to take longer matches nothing. */
export function matchesGlob(glob: string, text: string, dialect: GlobDialect): boolean {
  const stepsAtMost = STEPS_AT_LEAST + STEPS * (glob.length + text.length);
  return new GlobSet([glob], dialect).matches(text, stepsAtMost) ?? false;
}

/**
 * Globs, compiled to one automaton whose states are made while names are read. Each character of a name is read once,
 * however many globs there are. If the next state is cached, a character costs one look-up.
 */
export class GlobSet {
  /** The number of positions that were visited so far to make states. */
  effort = 0;
  /** The tokens of all globs, one glob after another. */
  private readonly tokens: readonly GlobToken[];
  /**
   * The index of each token's glob (`globs`), and the number of its branch (`branches`). No two globs share a branch
   * number.
   */
  private readonly globs: readonly number[];
  private readonly branches: readonly number[];
  /** For each token, the number of tokens up to and including it that accept slashes. */
  private readonly slashes: readonly number[];
  private readonly start: State;
  private readonly states = new Map<string, State>();
  private readonly stayings = new Map<string, Staying>();
  private kept = 0;

  constructor(globs: readonly string[], dialect: GlobDialect = 'text') {
    const each = globs.map(DIALECTS[dialect]);
    this.tokens = each.flatMap((compiled) => compiled.map(([token]) => token));
    this.globs = each.flatMap((compiled, i) => compiled.map(() => i));
    const names = new Map<string, number>();
    this.branches = each.flatMap((compiled, i) =>
      compiled.map(([, branch]) => {
        const name = `${i}/${branch}`;
        if (!names.has(name)) names.set(name, names.size);
        return names.get(name)!;
      }),
    );
    let slashes = 0;
    this.slashes = this.tokens.map((token, at) => (token === 'many' || this.takes(at, SLASH) ? ++slashes : slashes));
    const starts = this.tokens.flatMap((_, at) => (this.globs[at - 1] === this.globs[at] ? [] : [at]));
    this.start = this.stateOf([], starts);
  }

  /** Whether one of the globs matches the whole name; null if the allowed effort was not enough to find out. */
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

  /** The indexes of the globs that match the whole name; null if the allowed effort was not enough to find out. */
  matching(name: string, effortAtMost = Infinity): readonly number[] | null {
    const giveUpAt = this.effort + effortAtMost;
    let state = this.start;
    for (const one of name) {
      if (this.effort > giveUpAt) return null;
      const character = one.codePointAt(0)!;
      state = state.next.get(character) ?? this.follow(state, character);
    }
    const { staying, waiting } = state;
    const ended = [...waiting, ...staying.exits].filter((at) => this.tokens[at] === 'end');
    return ascending(ended.map((at) => this.globs[at]!));
  }

  private follow(state: State, character: number): State {
    const { staying, waiting } = state;
    const moves = staying.moves.get(character) ?? this.movesOf(staying, character);
    const reached = [...waiting.flatMap((at) => this.after(at, character)), ...moves];
    this.effort += waiting.length + moves.length;
    this.forgetAll();
    const next = this.stateOf(staying.positions, reached);
    state.next.set(character, next);
    return next;
  }

  private movesOf(staying: Staying, character: number): readonly number[] {
    const moves = [...staying.exits].flatMap((at) => this.after(at, character));
    this.effort += staying.exits.size;
    this.kept += moves.length + 1;
    staying.moves.set(character, moves);
    return moves;
  }

  private stateOf(stayed: readonly number[], reached: readonly number[]): State {
    const positions = this.withEmptySteps(reached);
    const many = positions.filter((at) => this.tokens[at] === 'many');
    const staying = many.length === 0 ? this.stayingAt(stayed) : this.stayingAt(this.lastOfEach([...stayed, ...many]));
    const waiting = this.lastInFolder(
      positions.filter(
        (at) =>
          this.tokens[at] !== 'many' && !staying.exits.has(at) && at > (staying.last.get(this.branches[at]!) ?? -1),
      ),
    );
    const key = `${staying.key}/${waiting.join()}`;
    const known = this.states.get(key);
    if (known) return known;
    const isMatch = staying.isCertain || waiting.some((at) => this.tokens[at] === 'end');
    const state: State = { staying, waiting, isMatch, next: new Map() };
    this.states.set(key, state);
    this.kept += STATE + waiting.length;
    return state;
  }

  /** Adds the positions that can be reached from `reached` without another character, and removes forks. */
  private withEmptySteps(reached: readonly number[]): readonly number[] {
    const found = new Set(reached);
    this.effort -= found.size;
    for (const at of found) {
      const token = this.tokens[at];
      if (token === 'many' || token === 'many in folder') found.add(at + 1);
      else if (typeof token === 'object') for (const step of token.fork) found.add(at + step);
    }
    this.effort += found.size;
    return ascending([...found].filter((at) => typeof this.tokens[at] !== 'object'));
  }

  /** Removes positions that a later `*` of the same branch covers, as long as no token between them accepts a slash. */
  private lastInFolder(positions: readonly number[]): readonly number[] {
    const last = new Map<number, number>();
    return positions
      .toReversed()
      .filter((at) => {
        const branch = this.branches[at]!;
        const covering = last.get(branch);
        if (covering !== undefined && this.slashes[at - 1] === this.slashes[covering]) return false;
        if (this.tokens[at] === 'many in folder') last.set(branch, at);
        return true;
      })
      .toReversed();
  }

  private lastOfEach(positions: readonly number[]): readonly number[] {
    return [...new Map(ascending(positions).map((at) => [this.branches[at], at])).values()];
  }

  private stayingAt(positions: readonly number[]): Staying {
    const list = positions.join();
    const known = this.stayings.get(list);
    if (known) return known;
    const exits = new Set(
      this.withEmptySteps(positions.map((at) => at + 1)).filter((at) => this.tokens[at] !== 'many'),
    );
    const isCertain = [...exits].some((at) => this.tokens[at] === 'end');
    const last = new Map(positions.map((at) => [this.branches[at]!, at]));
    const staying: Staying = { key: String(this.stayings.size), positions, last, exits, isCertain, moves: new Map() };
    this.stayings.set(list, staying);
    this.kept += STATE + positions.length + exits.size;
    return staying;
  }

  /** Drops the cached states, because names that always lead to new states must not fill the memory. */
  private forgetAll(): void {
    if (this.kept <= KEPT_AT_MOST) return;
    this.kept = 0;
    this.states.clear();
    this.stayings.clear();
    this.start.next.clear();
    this.start.staying.moves.clear();
  }

  private after(at: number, character: number): readonly number[] {
    if (this.tokens[at] === 'many in folder') return character === SLASH ? [] : [at];
    return this.takes(at, character) ? [at + 1] : [];
  }

  private takes(at: number, character: number): boolean {
    const token = this.tokens[at];
    return token === character || (typeof token === 'function' && token(character));
  }
}

function ascending(positions: readonly number[]): readonly number[] {
  return [...new Set(positions)].sort((a, b) => a - b);
}
