/** A CODEOWNERS file made to be slow, and a path for which it is slow. */
export function slowOwners(): { readonly text: string; readonly file: string } {
  const rules = Array.from({ length: 200 }, (_, i) => `/*a${'?'.repeat(100 + i)}b @all`);
  // A square modulo a prime repeats late, and so do the states of the matcher.
  const file = Array.from({ length: 4_000 }, (_, i) => (((i * i) % 7_919) % 2 === 0 ? 'a' : 'c')).join('');
  return { text: rules.join('\n'), file };
}
