import { CLICK_ID_SOURCES, type ClickIdName, type ClickIds } from '../../shared/click-ids.ts';
import { storableText } from '../../shared/json.ts';
import { isAbsent } from '../absent.ts';
import { LIMITS } from '../limits.ts';

const PARAMETERS = new Map<string, ClickIdName>(
  CLICK_ID_SOURCES.flatMap(({ name, aliases }) => [name, ...aliases].map((parameter) => [parameter, name] as const)),
);

/**
 * The click ids in a URL's query, without unfilled macros. Parameter names match in any case, values are kept exactly, and the
 * first of a repeated one counts.
 */
export function readClickIds(query: URLSearchParams): ClickIds {
  const found: ClickIds = {};
  for (const [parameter, value] of query) {
    const name = PARAMETERS.get(parameter.toLowerCase());
    if (name && found[name] === undefined && !isAbsent(value) && value.length <= LIMITS.identifierLength)
      found[name] = storableText(value);
  }
  return found;
}
