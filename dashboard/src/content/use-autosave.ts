import type { Entry } from '@headwater/sdk';
import { useEffect, useRef, useState } from 'react';
import { headwater } from '../service/session.ts';

type Values = Record<string, unknown>;

interface Draft {
  version: number;
  changes: Values;
  updatedAt: string;
}

const DELAY_MS = 2_000;

/** When this tab stored or took what is stored of an entry. */
const storedAt = (entryId = '') => sessionStorage.getItem(`headwater-stored ${entryId}`);
const setStoredAt = (entryId = '', time = '') => sessionStorage.setItem(`headwater-stored ${entryId}`, time);

/**
 * Keeps the changes of an entry in the service two seconds after each of them, and at once when a field loses the focus, so that
 * another browser of the same user has them, too. What fails is sent again with the next change, or once the browser is online, unless
 * another browser stored something else meanwhile: then both are kept until the user has chosen.
 * @param changes undefined: nothing is kept, as for readers
 */
export function useAutosave(entry: Entry | undefined, version: number | undefined, changes: Values | undefined) {
  const path = entry && { collectionId: entry.collectionId, entryId: entry.id };
  const [state, setState] = useState<'none' | 'kept' | 'failed'>('none');
  const [offered, setOffered] = useState<Draft>();
  const sent = useRef('{}');
  const hasFailed = useRef(false);
  const text = JSON.stringify(changes ?? {});
  // What this tab stored itself, before a reload, is older than what it restored.
  const isOther = (draft: Draft) =>
    JSON.stringify(draft.changes) !== text && (text === '{}' || draft.updatedAt !== storedAt(path?.entryId));
  const other = offered && isOther(offered) ? offered : undefined;
  const isEnabled = changes !== undefined && path !== undefined;
  const latest = useRef<() => Promise<void>>(undefined);
  latest.current = async () => {
    if (!isEnabled || text === sent.current || other) return;
    sent.current = text;
    try {
      if (hasFailed.current) {
        const { draft } = await headwater.getEntryDraft(path);
        hasFailed.current = false;
        if (draft && isOther(draft)) {
          sent.current = '';
          setOffered(draft);
          return;
        }
      }
      if (text === '{}') {
        await headwater.deleteEntryDraft(path);
        setState('none');
      } else {
        const { draft } = await headwater.saveEntryDraft(path, { version: version ?? 1, changes });
        setStoredAt(path.entryId, draft?.updatedAt);
        setOffered(undefined);
        setState('kept');
      }
    } catch {
      sent.current = '';
      hasFailed.current = true;
      setState('failed');
    }
  };
  const entryId = path?.entryId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each entry
  useEffect(() => {
    if (!isEnabled) return;
    let isOpen = true;
    headwater.getEntryDraft(path).then(
      ({ draft }) => isOpen && draft !== null && Object.keys(draft.changes).length > 0 && setOffered(draft),
      // The form works without.
      () => {},
    );
    return () => {
      isOpen = false;
    };
  }, [entryId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change starts the time anew, and so does a choice
  useEffect(() => {
    const timer = setTimeout(() => latest.current?.(), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, entryId, other]);
  useEffect(() => {
    const flush = () => void latest.current?.();
    window.addEventListener('online', flush);
    return () => window.removeEventListener('online', flush);
  }, []);
  return {
    state,
    /** What the user has not saved elsewhere. */
    offered: other,
    /** Sends what waits. */
    flush: () => void latest.current?.(),
    /** Hides what is offered; it is replaced or deleted by what follows. */
    take: () => {
      // What is stored is neither these changes nor none, so that saving them at once deletes it.
      sent.current = '';
      setStoredAt(path?.entryId, offered?.updatedAt);
      setOffered(undefined);
    },
    discard: async () => {
      setOffered(undefined);
      if (path) await headwater.deleteEntryDraft(path);
    },
  };
}
