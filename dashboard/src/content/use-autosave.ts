import { type Entry, isHeadwaterError } from '@headwater/sdk';
import { useEffect, useRef, useState } from 'react';
import { headwater } from '../service/session.ts';
import { isSameValue } from './same-value.ts';

type Values = Record<string, unknown>;

interface Draft {
  version: number;
  changes: Values;
  updatedAt: string;
}

const DELAY_MS = 2_000;

/** The delay doubles with each failure so often: to a minute. */
const DOUBLINGS = 5;

/** The time of what this tab knows to be stored of an entry, empty for nothing. */
const storedAt = (entryId = '') => sessionStorage.getItem(`headwater-stored ${entryId}`) ?? '';
const setStoredAt = (entryId = '', time = '') => sessionStorage.setItem(`headwater-stored ${entryId}`, time);

/**
 * Keeps the changes of an entry in the service two seconds after each of them, and at once when a field loses the focus, so that
 * another browser of the same user has them, too. What fails is sent again, ever more slowly, and at once when the browser is online.
 * It replaces only what this tab knows: where another browser stored something else, both are kept until the user has chosen.
 * @param changes undefined: nothing is kept, as for readers
 */
export function useAutosave(entry: Entry | undefined, version: number | undefined, changes: Values | undefined) {
  const path = entry && { collectionId: entry.collectionId, entryId: entry.id };
  const [kept, setKept] = useState('{}');
  const [failures, setFailures] = useState(0);
  const [offered, setOffered] = useState<Draft>();
  const sent = useRef('{}');
  const request = useRef({ isSending: false, isNextWaiting: false, isStoredUnknown: false, tried: {} as Values });
  const text = JSON.stringify(changes ?? {});
  // What this tab stored itself, before a reload, is older than what it restored.
  const isOther = (draft: Draft) =>
    !isSameValue(draft.changes, changes ?? {}) && (text === '{}' || draft.updatedAt !== storedAt(path?.entryId));
  const other = offered && isOther(offered) ? offered : undefined;
  const isEnabled = changes !== undefined && path !== undefined;
  const latest = useRef<() => Promise<void>>(undefined);
  latest.current = async () => {
    if (!isEnabled || text === sent.current || other) return;
    const now = request.current;
    now.isNextWaiting = now.isSending;
    if (now.isSending) return;
    now.isSending = true;
    try {
      if (now.isStoredUnknown) {
        const { draft } = await headwater.getEntryDraft(path);
        now.isStoredUnknown = false;
        if (draft && draft.updatedAt !== storedAt(path.entryId) && !isSameValue(draft.changes, now.tried)) {
          setOffered(draft);
          return;
        }
        setStoredAt(path.entryId, draft?.updatedAt);
      }
      const updatedAt = storedAt(path.entryId);
      now.tried = changes;
      if (text !== '{}') {
        const body = { version: version ?? 1, changes, updatedAt: updatedAt || null };
        const { draft } = await headwater.saveEntryDraft(path, body);
        setStoredAt(path.entryId, draft?.updatedAt);
        setOffered(undefined);
      } else if (updatedAt !== '') {
        await headwater.deleteEntryDraft({ ...path, updatedAt });
        setStoredAt(path.entryId);
      }
      sent.current = text;
      setKept(text);
      setFailures(0);
    } catch (error) {
      now.isStoredUnknown = true;
      if (isHeadwaterError(error, 'version_conflict')) now.isNextWaiting = true;
      else setFailures((count) => count + 1);
    } finally {
      now.isSending = false;
      if (now.isNextWaiting) void latest.current?.();
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
    const timer = setTimeout(() => latest.current?.(), DELAY_MS * 2 ** Math.min(failures, DOUBLINGS));
    return () => clearTimeout(timer);
  }, [text, entryId, other, failures]);
  useEffect(() => {
    const flush = () => void latest.current?.();
    window.addEventListener('online', flush);
    return () => window.removeEventListener('online', flush);
  }, []);
  return {
    /** Whether all changes are in the service. */
    isKept: text !== '{}' && kept === text,
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
      if (!path || !offered) return;
      setOffered(undefined);
      try {
        await headwater.deleteEntryDraft({ ...path, updatedAt: offered.updatedAt });
      } catch {
        // What is stored now, which is newer than what was to be discarded unless that failed, is offered again.
        const stored = await headwater.getEntryDraft(path).catch(() => ({ draft: offered }));
        if (stored.draft && Object.keys(stored.draft.changes).length > 0) setOffered(stored.draft);
      }
    },
  };
}
