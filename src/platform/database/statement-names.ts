const MOST_NAMES = 500;
export const UNNAMED = '';

/**
 * Names prepared statements, which makes reads 1.3 to 1.8 times faster. Every connection keeps named statements until
 * it closes, and each new length of a list makes a new statement. So statements beyond the limit get no name.
 */
export function nameStatements(limit = MOST_NAMES): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= limit) return UNNAMED;
    const name = `s${names.size + 1}`;
    names.set(sql, name);
    return name;
  };
}
