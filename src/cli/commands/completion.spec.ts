import { execFileSync } from 'node:child_process';
import { runSluice } from '../run-sluice';

async function scriptFor(shell: string): Promise<string> {
  let out = '';
  const terminal = { out: (text: string) => void (out += text), err: () => undefined, columns: undefined };
  expect(await runSluice(['completion', shell], terminal)).toBe(0);
  return out;
}

/** The completions that bash offers for the last word. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const typed = ['sluice', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${await scriptFor('bash')}\n${ask}`;
  return execFileSync('bash', ['--noprofile', '--norc', '-c', script], { encoding: 'utf8' }).trim().split('\n');
}

describe('shell completion', () => {
  it('offers commands, then subcommands, then their options', async () => {
    expect(await offered('webh')).toEqual(['webhook']);
    expect(await offered('webhook', 'de')).toEqual(['delete', 'deliveries']);
    expect(await offered('pr', 'submit', '--dry')).toEqual(['--dry-run']);
    expect(await offered('completion', 'z')).toEqual(['zsh']);
  });

  it('recognizes the command after arguments and options', async () => {
    expect(await offered('pr', 'submit', 'local/acme/shop', '7', '--url', 'http://x', '--pri')).toEqual(['--priority']);
  });

  it.each(['bash', 'zsh', 'fish'])('contains every command, for %s', async (shell) => {
    const script = await scriptFor(shell);
    for (const word of ['queue', 'watch', 'deliveries', '--best-priority']) expect(script).toContain(word);
    expect(script).toMatch(/^complete .*sluice/m);
  });
});
