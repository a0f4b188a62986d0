/** A copy of `value` without these fields, and without fields that are absent, null, false or an empty list. */
export function present(value: object, without: ReadonlySet<string>): object {
  const kept: Record<string, unknown> = {};
  for (const [name, inside] of Object.entries(value) as [string, unknown][]) {
    if (inside === null || inside === undefined || inside === false || without.has(name)) continue;
    if (!Array.isArray(inside) || inside.length > 0) kept[name] = inside;
  }
  return kept;
}
