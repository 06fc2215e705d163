import { useEffect, useState } from 'react';
import { loadTransliteration, needsTransliteration } from './api-id.ts';
import type { SchemaDraft } from './schema-draft.ts';

/** Renders again with the API IDs of labels that are not in Latin letters, once their transliteration is loaded. */
export function useTransliteration(draft: Pick<SchemaDraft, 'fields'>): void {
  const [, setIsLoaded] = useState(false);
  const isNeeded = needsTables(draft);
  useEffect(() => {
    if (isNeeded) void loadTransliteration().then(() => setIsLoaded(true));
  }, [isNeeded]);
}

/** To be awaited before a draft is saved. */
export const ensureTransliteration = async (draft: Pick<SchemaDraft, 'fields'>): Promise<void> =>
  needsTables(draft) ? loadTransliteration() : undefined;

const needsTables = ({ fields }: Pick<SchemaDraft, 'fields'>): boolean =>
  fields.some(
    (field) =>
      needsTransliteration(field.label) ||
      field.options.some(({ label }) => needsTransliteration(label)) ||
      needsTables(field),
  );
