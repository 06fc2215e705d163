/**
 * Fills the `{names}` of a path from `params`, and appends the other parameters as the query. A list repeats its name, an
 * object becomes `name[member]=…`, `where` becomes JSON, and the list of an `in` filter becomes one value, `a,b`.
 * @throws TypeError if a path parameter is missing
 */
export function urlOf(path: string, params: Record<string, unknown>): string {
  const rest = new Map(Object.entries(params));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is missing`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of rest) append(query, name, value);
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

function append(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (name === 'where' && typeof value === 'object') query.append(name, JSON.stringify(value));
  else if (value instanceof Date) query.append(name, value.toISOString());
  else if (Array.isArray(value)) {
    if (name.endsWith('[in]')) query.append(name, value.map(escaped).join(','));
    // Commas separate the values of a filter that is sent once.
    else for (const each of isOneWithComma(name, value) ? [value[0], value[0]] : value) append(query, name, each);
  } else if (typeof value === 'object') {
    for (const [member, each] of Object.entries(value)) append(query, `${name}[${member}]`, each);
  } else query.append(name, String(value));
}

const isOneWithComma = (name: string, value: unknown[]) =>
  name.startsWith('filter[') && value.length === 1 && String(value[0]).includes(',');

const escaped = (value: unknown) => String(value).replace(/[\\,]/g, '\\$&');
