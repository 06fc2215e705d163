import { headwater } from '../service/session.ts';
import type { ViewStore } from '../shared/view-store.ts';

/** The views of the table of a collection. */
export const entryViews = (collectionId: string): ViewStore => ({
  key: ['entry views', collectionId],
  path: `/content/${collectionId}`,
  hasOwn: true,
  list: async (signal) => (await headwater.listEntryViews({ collectionId }, { signal })).views,
  save: (name, state, shared) => headwater.saveEntryView({ collectionId }, { name, state, shared }),
  remove: (viewId) => headwater.deleteEntryView({ collectionId, viewId }),
});
