import type { Collection } from '../collections/collection.ts';
import { baseOf } from './check-locales.ts';
import type { ShownIn } from './contract.ts';

/** @param chain a locale and its fallbacks */
export function shownInOf({ locales, isPublic, row }: Collection, chain: readonly string[]): ShownIn | undefined {
  if (!isPublic || !row.partial || !locales) return undefined;
  return { locales: chain, includesUnnamed: chain.includes(baseOf(locales)) };
}

/** @param published undefined: of a draft, which a preview shows in every locale */
export function isShown(
  shownIn: ShownIn | undefined,
  published: Record<string, number> | string | null | undefined,
): boolean {
  if (!shownIn || published === undefined) return true;
  if (published === null) return shownIn.includesUnnamed;
  const all: Record<string, number> = typeof published === 'string' ? JSON.parse(published) : published;
  return shownIn.locales.some((locale) => all[locale] !== undefined);
}
