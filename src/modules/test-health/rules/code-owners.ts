import { OwnerPattern, type OwnersDialect } from './owner-pattern';

interface Rule {
  readonly pattern: OwnerPattern;
  /** Whether files that match have no owner in the section, whatever its other rules say. */
  readonly isExclusion: boolean;
  readonly owners: readonly string[];
}

/** For all files of one upload. Thousands of rules and thousands of files take about a second. */
const PATIENCE_MS = 10_000;
const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?\s*(.*)$/;

/**
 * Finds the owners of files in the text of a CODEOWNERS file. The last matching rule decides. Where the text has sections,
 * as on GitLab, the last matching rule of every section counts. `!` takes files out of a section on GitLab, and nothing brings them back;
 * GitHub ignores such lines.
 */
export class CodeOwners {
  static readonly NONE = new CodeOwners('');
  private readonly sections: readonly (readonly Rule[])[];
  private readonly known = new Map<string, readonly string[]>();
  private spentMs = 0;

  constructor(text: string, dialect: OwnersDialect = 'github') {
    this.sections = sectionsOf(text, dialect);
  }

  get isEmpty(): boolean {
    return this.sections.length === 0;
  }

  /**
   * Logins, teams and addresses, as written in the text; none for an empty path. Throws `SlowCodeOwners` when matching takes
   * too long.
   */
  of(file: string): readonly string[] {
    const path = file.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
    if (this.isEmpty || path === '') return [];
    const known = this.known.get(path);
    if (known) return known;
    const startedAt = performance.now();
    const owners = this.sections.flatMap((rules) => ownersIn(rules, path));
    const distinct = [...new Set(owners)];
    this.known.set(path, distinct);
    this.spentMs += performance.now() - startedAt;
    if (this.spentMs > PATIENCE_MS) throw new SlowCodeOwners();
    return distinct;
  }
}

/** Its message completes `codeowners: …`. */
export class SlowCodeOwners extends Error {
  override readonly name = 'SlowCodeOwners';

  constructor() {
    const seconds = PATIENCE_MS / 1_000;
    super(`must not take longer than ${seconds} seconds for the files of an upload: it has too many rules`);
  }
}

function ownersIn(rules: readonly Rule[], path: string): readonly string[] {
  if (rules.some(({ isExclusion, pattern }) => isExclusion && pattern.owns(path))) return [];
  return rules.findLast(({ pattern, isExclusion }) => !isExclusion && pattern.owns(path))?.owners ?? [];
}

function sectionsOf(text: string, dialect: OwnersDialect): Rule[][] {
  const sections = new Map<string, Rule[]>();
  let rules: Rule[] = [];
  let inherited: readonly string[] = [];
  sections.set('', rules);
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, owners] = SECTION.exec(line) ?? [];
    if (name !== undefined) {
      rules = sections.get(name.toLowerCase()) ?? [];
      sections.set(name.toLowerCase(), rules);
      inherited = wordsOf(owners ?? '');
    } else if (dialect === 'gitlab' || !line.startsWith('!')) {
      rules.push(ruleOf(line, inherited, dialect));
    }
  }
  return [...sections.values()].filter((one) => one.length > 0);
}

function ruleOf(line: string, inherited: readonly string[], dialect: OwnersDialect): Rule {
  const isExclusion = line.startsWith('!');
  const [pattern = '', ...words] = (isExclusion ? line.slice(1) : line).split(/(?<!\\)\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  const owners = comment === -1 ? words : words.slice(0, comment);
  return { pattern: new OwnerPattern(pattern, dialect), isExclusion, owners: owners.length > 0 ? owners : inherited };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
