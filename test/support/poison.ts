import type { BareRepository } from './bare-repository';
import { outputOfProgram } from './small-process';

const WHO = 'Eve <eve@example.com> 1767323045 +0000';

interface RawEntry {
  readonly name: string;
  readonly tree?: string;
  readonly blob?: string;
}

/** Makes objects that ordinary git refuses to make. */
export class Poison {
  constructor(private readonly world: BareRepository) {}

  blob(content: string | Buffer): string {
    return this.write('blob', Buffer.from(content));
  }

  tree(entries: readonly RawEntry[]): string {
    const rows = entries.map(({ name, tree, blob }) => {
      const mode = tree === undefined ? '100644' : '40000';
      return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(tree ?? blob ?? '', 'hex')]);
    });
    return this.write('tree', Buffer.concat(rows));
  }

  /**
   * Opens a pull request on `main`. The head of the pull request has these entries in addition to the files of `main`.
   */
  openPullRequest(number: number, entries: readonly RawEntry[], message = `Change ${number}\n`): string {
    const main = this.world.tip('main');
    const readme = this.world.inBare('rev-parse', `${main}:README.md`);
    const own = [...entries, { name: 'README.md', blob: readme }].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const head = this.commit(this.tree(own), main, message);
    this.world.setPullRequest(number, head);
    return head;
  }

  commit(tree: string, parent: string, message: string, author = WHO): string {
    const text = `tree ${tree}\nparent ${parent}\nauthor ${author}\ncommitter ${WHO}\n\n${message}`;
    return this.write('commit', Buffer.from(text));
  }

  /** Makes ten nested trees, which have 10^10 files in a kilobyte. Returns the outermost tree. */
  bomb(): string {
    let tree = this.tree([{ name: 'x', blob: this.blob('x\n') }]);
    for (let depth = 0; depth < 10; depth++) {
      tree = this.tree(Array.from({ length: 10 }, (_, index) => ({ name: `d${index}`, tree })));
    }
    return tree;
  }

  /** Makes `depth` nested folders with long names. Returns the outermost tree. */
  deepTree(depth: number, file: RawEntry = { name: 'x', blob: this.blob('x\n') }): string {
    let tree = this.tree([file]);
    for (let at = 0; at < depth; at++) tree = this.tree([{ name: 'd'.repeat(200), tree }]);
    return tree;
  }

  private write(type: string, content: Buffer): string {
    const args = ['hash-object', '-t', type, '-w', '--stdin', '--literally'];
    return outputOfProgram('git', args, { cwd: this.world.bare, input: content }).toString().trim();
  }
}
