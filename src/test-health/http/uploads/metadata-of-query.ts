/**
 * The metadata of an upload that is one report and nothing else: `?repo=host/owner/name&commit=…`, the other fields by
 * their names. What is missing or wrong is found by the rules of the fields.
 */
export function metadataOfQuery(query: Readonly<Record<string, unknown>>): object {
  const { repo, ...others } = query;
  const [host, owner, ...name] = typeof repo === 'string' ? repo.split('/') : [];
  return { ...others, ...(host !== undefined && { repo: { host, owner, name: name.join('/') } }) };
}
