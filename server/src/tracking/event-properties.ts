import { IDENTIFIER_NAMES, type Identifier, type IdentifierName, identify } from './identifier.ts';

const NAMES = new Map<string, number>(IDENTIFIER_NAMES.map((name, i) => [name, i]));

export interface ReadProperties {
  /** As they are stored. */
  json: string;
  /** Trimmed and in lower case. */
  email: string | null;
  value: number | null;
  /** Every identifier in them, in the interface's order: the first that finds a session counts. */
  identifiers: Identifier[];
}

/** What an event's properties, checked by their schema, mean. */
export function readProperties(properties: Readonly<Record<string, unknown>>): ReadProperties {
  const named: [number, Identifier][] = [];
  for (const key in properties) {
    const order = NAMES.get(key);
    const value = properties[key];
    if (order === undefined || value === null || (typeof value === 'string' && value.trim() === '')) continue;
    // Metadata is free: what cannot name a session is no more than that.
    const identifier = identify(key as IdentifierName, value);
    if (identifier) named.push([order, identifier]);
  }
  const { email, value } = properties;
  return {
    json: JSON.stringify(properties),
    email: typeof email === 'string' ? email.trim().toLowerCase() : null,
    value: typeof value === 'number' ? value : null,
    identifiers: named.sort(([a], [b]) => a - b).map(([, identifier]) => identifier),
  };
}
