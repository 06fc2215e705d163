import { useLocalStorage } from '@mantine/hooks';
import { useEffect } from 'react';

const KEPT = 12;

const useStored = () => useLocalStorage<string[]>({ key: 'headwater-recent-collections', defaultValue: [] });

/** The IDs of the collections that were opened in this browser, the latest first. */
export const useRecentCollections = (): string[] => useStored()[0];

/** Remembers that a collection was opened. */
export function useRecordCollection(id: string): void {
  const [, setRecent] = useStored();
  useEffect(() => {
    setRecent((before) => [id, ...before.filter((each) => each !== id)].slice(0, KEPT));
  }, [id, setRecent]);
}
