const MAX_NAMED = 64;
const names = new Map<string, string>();

/**
 * A name under which each connection keeps the statement's plan. There are as many statements as combinations of an order
 * and kinds of filters: the first ones are kept, any others are planned each time.
 */
export function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MAX_NAMED) return known;
  const name = `content.page_${names.size}`;
  names.set(text, name);
  return name;
}
