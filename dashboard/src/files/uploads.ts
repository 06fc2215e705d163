import type { AssetValue } from '@headwater/sdk';
import { useState } from 'react';
import { headwater } from '../service/session.ts';
import { messageOf } from '../shared/messages.ts';
import { forgetFiles } from './queries.ts';

export interface Upload {
  id: number;
  name: string;
  bytes: number;
  /** 0 to 1. */
  share: number;
  error?: string | undefined;
  asset?: AssetValue;
  file: File;
}

/** So many go out beside each other; the rest wait. */
const AT_ONCE = 3;

let lastId = 0;

/** Files on their way to the service, and how far each has come. */
export function useUploads(onUploaded?: (asset: AssetValue) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const change = (id: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each)));

  const add = async (files: readonly File[]) => {
    const waiting = files.map((file) => ({ file, id: ++lastId }));
    // Before the list of those that wait is taken from.
    const begun = waiting.map(({ file, id }) => ({ id, file, name: file.name, bytes: file.size, share: 0 }));
    setUploads((all) => [...begun, ...all]);
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { id, file } = next;
        try {
          const asset = await headwater.uploadFile({ file }, { onProgress: (share) => change(id, { share }) });
          change(id, { share: 1, asset });
          onUploaded?.(asset);
        } catch (error) {
          change(id, { error: messageOf(error).detail });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    void forgetFiles();
  };
  const dismiss = () => setUploads((all) => all.filter(({ asset, error }) => !asset && !error));
  const retry = ({ id, file }: Upload) => {
    setUploads((all) => all.filter((each) => each.id !== id));
    void add([file]);
  };
  return { uploads, add, retry, dismiss };
}
