/** The time as GitHub writes it, in whole seconds. Events within one second have equal times. */
export function timeShape(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}

export function timeOrNull(at: Date | null | undefined): string | null {
  return at == null ? null : timeShape(at);
}
