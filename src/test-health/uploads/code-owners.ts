import ignore, { type Ignore } from 'ignore';

interface Rule {
  readonly pattern: Ignore;
  readonly owners: readonly string[];
}

const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?\s*(.*)$/;

/**
 * Who owns a file, by a CODEOWNERS file: the last rule that fits. In a file with sections, as GitLab has them, the last of
 * every section.
 */
export class CodeOwners {
  static readonly NONE = new CodeOwners('');
  private readonly sections: readonly (readonly Rule[])[];
  private readonly known = new Map<string, readonly string[]>();

  constructor(text: string) {
    this.sections = sectionsOf(text);
  }

  get isEmpty(): boolean {
    return this.sections.length === 0;
  }

  /** Logins, teams and addresses as they are written there; none for a file that is not known. */
  of(file: string): readonly string[] {
    const path = file.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
    if (this.isEmpty || !ignore.isPathValid(path)) return [];
    const known = this.known.get(path);
    if (known) return known;
    const owners = this.sections.flatMap(
      (rules) => rules.findLast(({ pattern }) => pattern.ignores(path))?.owners ?? [],
    );
    const distinct = [...new Set(owners)];
    this.known.set(path, distinct);
    return distinct;
  }
}

function sectionsOf(text: string): Rule[][] {
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
    } else {
      rules.push(ruleOf(line, inherited));
    }
  }
  return [...sections.values()].filter((one) => one.length > 0);
}

function ruleOf(line: string, inherited: readonly string[]): Rule {
  const [pattern = '', ...words] = line.split(/(?<!\\)\s+/);
  const comment = words.findIndex((word) => word.startsWith('#'));
  const owners = comment === -1 ? words : words.slice(0, comment);
  return { pattern: ignore({ ignorecase: false }).add(pattern), owners: owners.length > 0 ? owners : inherited };
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
