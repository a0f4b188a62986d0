/** GitHub's times are whole seconds, so that what happens in one of them cannot be told apart by time. */
export function timeShape(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}

export function timeOrNull(at: Date | null | undefined): string | null {
  return at == null ? null : timeShape(at);
}
