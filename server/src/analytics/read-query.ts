import type { Fault } from '../shared/errors.ts';
import { DIMENSIONS, type Dimension, type Filters, type Include } from './dimensions.ts';

/** What a report is asked about besides its time. */
export interface Asked {
  filters: Filters;
  include: Include;
}

/** `include` and `filter[…]` of a query that its schema has checked. An empty value is none. */
export function readFilters(query: Record<string, unknown>): Asked {
  const filters: Filters = {};
  for (const name of DIMENSIONS) {
    const given = query[`filter[${name}]`];
    if (given === undefined) continue;
    filters[name] = [given].flat().map((value) => (value === '' ? null : String(value)));
  }
  return { filters, include: readInclude(query.include as string | undefined) };
}

export function readInclude(text = ''): Include {
  const parts = text.split(',');
  return { bots: parts.includes('bots'), internal: parts.includes('internal') };
}

/** `by`: dimensions, parted by commas, each once. */
export function readDimensions(text: string, faults: Fault[]): Dimension[] {
  const names = [...new Set(text.split(','))];
  const unknown = names.filter((name) => !(DIMENSIONS as readonly string[]).includes(name));
  if (unknown.length > 0) {
    const detail = `must be dimensions, parted by commas: ${DIMENSIONS.join(', ')}`;
    faults.push({ pointer: '?by', code: 'not_allowed', detail });
  }
  return names as Dimension[];
}
