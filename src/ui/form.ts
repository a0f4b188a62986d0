/** The fields of a form that a browser sent; undefined: there was no body. */
export type Form = Readonly<Record<string, unknown>> | undefined;

/** "" for a field that is not there, or there twice. */
export function textIn(form: Form, field: string): string {
  const value = form?.[field];
  return typeof value === 'string' ? value : '';
}
