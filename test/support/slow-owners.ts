/** A CODEOWNERS file that is made to be slow, and a path whose owners are slow to find. */
export function slowOwners(): { readonly text: string; readonly file: string } {
  const rules = Array.from({ length: 200 }, (_, i) => `/*a${'?'.repeat(100 + i)}b @all`);
  // The letters follow squares modulo a prime, which repeat late. Therefore the states of the matcher also repeat late.
  const file = Array.from({ length: 4_000 }, (_, i) => (((i * i) % 7_919) % 2 === 0 ? 'a' : 'c')).join('');
  return { text: rules.join('\n'), file };
}
