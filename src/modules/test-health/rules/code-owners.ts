import { GlobSet } from '../../../domain/glob-set';

/**
 * The code host whose CODEOWNERS rules apply. Gitea's CODEOWNERS file has regular expressions, but Sluice reads it by
 * GitHub's rules.
 */
export type OwnersDialect = 'github' | 'gitlab';

interface Rule {
  /** The rule's position in the section. */
  readonly line: number;
  readonly pattern: string;
  /** Matching files have no owner in the section, even if other rules match. */
  readonly isExclusion: boolean;
  readonly owners: readonly string[];
}

/** Rules of one section that are matched together. */
interface RuleSet {
  readonly rules: readonly Rule[];
  readonly patterns: GlobSet;
}

/**
 * The maximum number of matching steps for all files of one upload, which take about a second. Thousands of rules and
 * files need a tenth of the steps.
 */
const EFFORT_AT_MOST = 2_000_000;
/** File systems have no longer paths: a longer path has no owners. */
const LONGEST_PATH = 4_096;
const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?\s*(.*)$/;

/**
 * Finds the owners of files by the text of a CODEOWNERS file. The last matching rule decides. In a text with sections,
 * as on GitLab, the last matching rule of every section counts. On GitLab, `!` excludes files from a section, and no
 * other rule includes them again; GitHub ignores these lines.
 */
export class CodeOwners {
  static readonly NONE = new CodeOwners('');
  private readonly sections: readonly (readonly RuleSet[])[];
  private readonly known = new Map<string, readonly string[]>();

  constructor(text: string, dialect: OwnersDialect = 'github') {
    this.sections = sectionsOf(text, dialect).map((rules) => ruleSetsOf(rules, dialect));
  }

  get isEmpty(): boolean {
    return this.sections.length === 0;
  }

  /** The number of matching steps so far. */
  get effort(): number {
    return this.sections.flat().reduce((sum, { patterns }) => sum + patterns.effort, 0);
  }

  /**
   * Logins, teams and mail addresses, as written in the text; none for an empty path. Throws `SlowCodeOwners` when
   * matching takes too long. All rules are matched at once.
   */
  of(file: string): readonly string[] {
    const path = file.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
    if (this.isEmpty || path === '' || path.length > LONGEST_PATH) return [];
    const known = this.known.get(path);
    if (known) return known;
    const owners = this.sections.flatMap((section) => this.ownersIn(section, path));
    const distinct = [...new Set(owners)];
    this.known.set(path, distinct);
    return distinct;
  }

  private ownersIn(section: readonly RuleSet[], path: string): readonly string[] {
    const matching = section.flatMap(({ rules, patterns }) => {
      const found = patterns.matching(path, EFFORT_AT_MOST - this.effort);
      if (found === null) throw new SlowCodeOwners();
      return found.map((at) => rules[at]!);
    });
    if (matching.some(({ isExclusion }) => isExclusion)) return [];
    return (
      matching.reduce((last: Rule | null, rule) => (last && last.line > rule.line ? last : rule), null)?.owners ?? []
    );
  }
}

/** The message of this error completes `codeowners: …`. */
export class SlowCodeOwners extends Error {
  override readonly name = 'SlowCodeOwners';

  constructor() {
    super('is too costly to compare with the files of an upload: it has too many rules');
  }
}

/** Patterns that may begin in any folder are separate: a match in one folder is reused in all other folders. */
function ruleSetsOf(rules: readonly Rule[], dialect: OwnersDialect): readonly RuleSet[] {
  const isFromRoot = ({ pattern }: Rule): boolean =>
    pattern.startsWith('/') || (dialect === 'github' && /^(?!\*\*).*\/./.test(pattern));
  const parts = [rules.filter(isFromRoot), rules.filter((rule) => !isFromRoot(rule))];
  return parts.map((part) => ({
    rules: part,
    patterns: new GlobSet(
      part.map(({ pattern }) => pattern),
      `${dialect}-owners`,
    ),
  }));
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
      rules.push({ ...ruleOf(line, inherited), line: rules.length });
    }
  }
  return [...sections.values()].filter((one) => one.length > 0);
}

function ruleOf(line: string, inherited: readonly string[]): Omit<Rule, 'line'> {
  const isExclusion = line.startsWith('!');
  const [pattern = '', ...words] = (isExclusion ? line.slice(1) : line).split(/(?<!\\)\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  const owners = comment === -1 ? words : words.slice(0, comment);
  return { pattern, isExclusion, owners: owners.length > 0 ? owners : inherited };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
