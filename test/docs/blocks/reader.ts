import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '../documents';
import type { ShellBlock } from './shell-blocks';

/** These programs only use files, so blocks run the real programs. */
const REAL = `awk basename bash cat chmod cp cut date dirname env find git grep head install ln ls mkdir mktemp mv node
  rm sed sh sort tail tar tee touch tr uniq wc xargs`.split(/\s+/);
/**
 * Programs that blocks do not really run: stand-ins succeed and print an answer. Specs that follow a guide run the real
 * programs.
 */
const STAND_INS = `sluice npm npx curl sleep go dotnet bazel bazel-diff docker kubectl helm systemctl journalctl psql
  pg_dump pg_restore ssh`.split(/\s+/);

const ANSWER = { state: 'merged', isCurrentlySubmittedToQueue: false, token: 'slc_example', branch: 'main' };
const STAND_IN = `#!/bin/sh
case "\${0##*/} $*" in
  *'nx show'*) cat "$SAMPLES/projects.json" ;;
  *'turbo run'*) cat "$SAMPLES/plan.json" ;;
  *'turbo ls'*) cat "$SAMPLES/list.json" ;;
  bazel' 'query*) cat "$SAMPLES/labels.txt" ;;
  curl*/pulls*) printf '[{ "number": 7, "head": { "sha": "%s" } }]' "$HEAD_SHA" ;;
  *) echo '${JSON.stringify(ANSWER)}' ;;
esac
`;
/**
 * Each block runs as in one terminal of a person: the working folder and exported variables stay, and a failed command
 * stops nothing.
 */
const TERMINAL = `. "$STATE"
trap '{ export -p; printf "cd %q\\n" "$PWD"; } > "$STATE"' EXIT
. "$BLOCK"
`;

/** A person who pastes blocks into terminals, in a clone of Sluice and in the checkout of a CI job. */
export class Reader {
  private readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-reader-')));
  private head = '';

  constructor() {
    for (const name of ['home', 'tmp', 'bin', 'states']) mkdirSync(this.path(name));
    writeFileSync(this.path('bin/stand-in'), STAND_IN);
    chmodSync(this.path('bin/stand-in'), 0o755);
    for (const name of STAND_INS) symlinkSync('stand-in', this.path('bin', name));
    for (const name of REAL) symlinkSync(programNamed(name), this.path('bin', name));
    this.makeClone();
    this.makeCheckout();
    this.openTerminals();
  }

  leave(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  openTerminals(): void {
    for (const place of ['clone', 'checkout']) writeFileSync(this.path('states', place), `cd ${this.path(place)}\n`);
  }

  /** Returns the exit code of the block's last command, and its output. */
  paste({ text, runsIn }: ShellBlock): Promise<{ readonly exit: number; readonly printed: string }> {
    writeFileSync(this.path('states/block'), text);
    const env = { ...this.environment(), STATE: this.path('states', runsIn), BLOCK: this.path('states/block') };
    return new Promise((resolve) => {
      execFile('bash', ['--norc', '-c', TERMINAL], { cwd: this.folder, env }, (error, stdout, stderr) => {
        resolve({ exit: error === null ? 0 : Number(error.code), printed: stdout + stderr });
      });
    });
  }

  /** Everything that a block must not change. Folders made in TMPDIR and new files of the CI checkout do not count. */
  unchanged(): object {
    return {
      files: readdirSync(this.folder),
      home: readdirSync(this.path('home'), { recursive: true }),
      temporaryFiles: readdirSync(this.path('tmp'), { withFileTypes: true }).filter((entry) => !entry.isDirectory()),
      ...Object.fromEntries(['origin.git', 'shop.git', 'clone', 'checkout'].map((name) => [name, this.refsOf(name)])),
      changesOfClone: this.git('clone', 'status', '--porcelain'),
      changesOfCheckout: this.git('checkout', 'status', '--porcelain', '--untracked-files=no'),
    };
  }

  private refsOf(repository: string): object {
    const config = [join(repository, '.git/config'), join(repository, 'config')].find((p) => existsSync(this.path(p)));
    return {
      head:
        this.git(repository, 'rev-parse', '--symbolic-full-name', 'HEAD') + this.git(repository, 'rev-parse', 'HEAD'),
      refs: this.git(repository, 'for-each-ref'),
      config: readFileSync(this.path(config ?? 'config'), 'utf8'),
    };
  }

  /** A clone with a file in every folder of the project. */
  private makeClone(): void {
    const names = readdirSync(ROOT, { withFileTypes: true }).filter(({ name }) => !/^(\.git|\.sluice)$/.test(name));
    this.makeRepository('clone', 'origin.git', () => {
      for (const entry of names) {
        if (!entry.isDirectory()) cpSync(join(ROOT, entry.name), this.path('clone', entry.name));
        else this.write(join('clone', entry.name, 'file'), '');
      }
    });
  }

  private makeCheckout(): void {
    this.makeRepository('checkout', 'shop.git', () => {
      this.write('checkout/test.sh', 'test -f README.md\n');
      this.write('checkout/README.md', 'A shop\n');
    });
    this.write('checkout/services/api/index.ts', 'a change\n');
    this.git('checkout', 'checkout', '--quiet', '--detach');
    this.commit('checkout');
    this.head = this.git('checkout', 'rev-parse', 'HEAD').trim();
    // The block uses this file, which an earlier step of the job made.
    this.write('checkout/targets.json', '["api"]');
    this.write('checkout/results/targets.json', '["api"]');
    this.write('checkout/reports/unit.xml', '<testsuites/>');
  }

  private makeRepository(clone: string, origin: string, fill: () => void): void {
    this.git('.', 'init', '--quiet', '--bare', '--initial-branch=main', origin);
    this.git('.', 'clone', '--quiet', this.path(origin), clone);
    fill();
    this.commit(clone);
    this.git(clone, 'push', '--quiet', 'origin', 'HEAD:main');
  }

  private commit(clone: string): void {
    const who = ['-c', 'user.name=ada', '-c', 'user.email=ada@acme.test'];
    this.git(clone, 'add', '--all');
    this.git(clone, ...who, 'commit', '--quiet', '--message', 'A change');
  }

  private git(repository: string, ...words: readonly string[]): string {
    const options = { cwd: this.path(repository), env: this.environment(), encoding: 'utf8' } as const;
    return execFileSync('git', words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  private write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  private path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  private environment(): Record<string, string> {
    return {
      ...{ PATH: this.path('bin'), HOME: this.path('home'), TMPDIR: this.path('tmp'), GIT_CONFIG_NOSYSTEM: '1' },
      ...{
        SLUICE_URL: 'http://sluice.invalid',
        SLUICE_TOKEN: 'slc_example',
        SAMPLES: join(ROOT, 'test/fixtures/cookbook'),
      },
      ...{ PR: '7', HEAD_SHA: this.head, COMMIT: this.head, HEAD_OWNER: 'ada', HEAD_BRANCH: 'raise' },
      ...{ GITHUB_API_URL: 'http://github.invalid', GITHUB_REPOSITORY: 'acme/shop', GITHUB_TOKEN: 'none' },
    };
  }
}

function programNamed(name: string): string {
  if (name === 'node') return process.execPath;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not installed.`);
  return found;
}
