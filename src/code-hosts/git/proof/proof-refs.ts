// The refs in a bundle of statements.

/** A commit whose files are the statements and the keys. */
export const STATEMENTS_REF = 'refs/attestations/statements';
/** The head of each pull request in the statements, by its commit. */
export const HEADS = 'refs/attestations/heads/';
