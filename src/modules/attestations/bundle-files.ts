// The files in a bundle of statements.

export const KEYS_FILE = 'keys.json';

const FOLDER = 'statements/';
const DIGITS = 10;

export function statementFile(number: number): string {
  return `${FOLDER}${String(number).padStart(DIGITS, '0')}.json`;
}

export function isStatementFile(name: string): boolean {
  return name.startsWith(FOLDER);
}
