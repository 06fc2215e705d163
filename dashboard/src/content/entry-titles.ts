import type { EntryTitle } from '@headwater/sdk';
import { queryOptions } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { fallbackTitle } from './fallback-title.ts';

/** The service returns up to this many at once. */
const MAX_TITLES = 100;

let waiting = new Map<string, ((title: EntryTitle | null) => void)[]>();

/** The titles that are needed at the same time are read by one request. */
function loadTitle(id: string): Promise<EntryTitle | null> {
  return new Promise((resolve, reject) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        const batch = waiting;
        waiting = new Map();
        void loadTitles(batch).catch(reject);
      }, 0);
    }
    waiting.set(id, [...(waiting.get(id) ?? []), resolve]);
  });
}

async function loadTitles(batch: ReadonlyMap<string, ((title: EntryTitle | null) => void)[]>): Promise<void> {
  const ids = [...batch.keys()];
  for (let from = 0; from < ids.length; from += MAX_TITLES) {
    const part = ids.slice(from, from + MAX_TITLES);
    const { titles } = await headwater.getEntryTitles({ ids: part.join(',') });
    const byId = new Map(titles.map((title) => [title.id, title]));
    for (const id of part) for (const resolve of batch.get(id) ?? []) resolve(byId.get(id) ?? null);
  }
}

/** The title of a referenced entry; null if it does not exist any more. */
export const entryTitleQuery = (id: string) =>
  queryOptions({ queryKey: ['entry title', id], queryFn: () => loadTitle(id), staleTime: 30_000 });

export const titleText = (id: string, title: EntryTitle | null | undefined): string =>
  title === null ? t('Deleted permanently ({id})', { id: id.slice(-6) }) : (title?.title ?? fallbackTitle(id));

/** For texts that are not rendered by React: the title if it is known, else the ID. */
export function cachedTitle(id: string): string {
  const title = queryClient.getQueryData<EntryTitle | null>(['entry title', id]);
  return title ? titleText(id, title) : id;
}
