import type { AssetValue } from '@headwater/sdk';
import { useEffect, useRef, useState } from 'react';
import { headwater } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { invalidateFiles } from './queries.ts';

export interface Upload {
  id: number;
  file: File;
  /** 0 to 1. */
  progress: number;
  error?: string;
  asset?: AssetValue;
}

const CONCURRENCY = 3;

let lastId = 0;

/** The uploads of this page into a folder and their progress. A file that was uploaded alone is passed on, unless the page was left. */
export function useUploads(folderId: string | undefined, onUploaded?: (file: AssetValue) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const update = (id: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));

  const add = async (files: readonly File[]) => {
    const added = files.map((file): Upload => ({ id: ++lastId, file, progress: 0 }));
    setUploads((all) => [...added, ...all]);
    const queue = [...added];
    const worker = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { id, file } = next;
        try {
          const asset = await headwater.uploadFile(
            { file, ...(folderId !== undefined && { folderId }) },
            { onProgress: (progress) => update(id, { progress }) },
          );
          update(id, { progress: 1, asset });
          if (added.length === 1 && isOpen.current) onUploaded?.(asset);
        } catch (error) {
          update(id, { error: errorMessage(error).detail });
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    void invalidateFiles();
  };
  const dismiss = () => setUploads((all) => all.filter(({ asset, error }) => !asset && !error));
  const retry = ({ id, file }: Upload) => {
    setUploads((all) => all.filter((each) => each.id !== id));
    void add([file]);
  };
  return { uploads, add, retry, dismiss };
}
