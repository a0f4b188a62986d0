import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './package-outside';

const AUTHOR = '-c user.name=Ada -c user.email=ada@example.com';
const SETTINGS = 'merge: { required_statuses: [test] }\nci: { test: "test ! -e broken" }\n';

/**
 * A plain git repository, `local/acme/shop`. The test of this repository fails on a tree that has the file `broken`.
 */
export class Shop {
  private readonly clone: string;

  constructor(home: string, dataDirectory: string) {
    const bare = join(dataDirectory, 'repositories', 'acme', 'shop.git');
    this.clone = join(home, 'shop');
    run(
      home,
      `git init --quiet --bare --initial-branch=main "${bare}" && git clone --quiet "${bare}" "${this.clone}" 2>&1`,
    );
    this.commit({ '.sluice/sluice.yaml': SETTINGS });
    this.git('push --quiet origin HEAD:main');
  }

  open(number: number, files: Readonly<Record<string, string>>): void {
    this.git(`checkout --quiet -B pr-${number} origin/main`);
    this.commit(files);
    this.git(`push --quiet origin HEAD:refs/pull/${number}/head`);
  }

  private commit(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.clone, path)), { recursive: true });
      writeFileSync(join(this.clone, path), text);
    }
    this.git('add --all');
    this.git(`${AUTHOR} commit --quiet --message "${Object.keys(files).join(', ')}"`);
  }

  private git(command: string): void {
    run(this.clone, `git ${command} 2>&1`);
  }
}
