import type { QueryKey } from '@tanstack/react-query';
import { headwater } from '../service/session.ts';

export interface View {
  id: string;
  name: string;
  state: Record<string, unknown>;
  /** Whether all members see it; undefined: they always do. */
  shared?: boolean;
}

/** Where the views of a screen are stored. */
export interface ViewStore {
  key: QueryKey;
  /** The page that they are states of. */
  path: string;
  list(signal: AbortSignal): Promise<View[]>;
  save(name: string, state: Record<string, unknown>, isShared: boolean): Promise<{ name: string }>;
  remove(id: string): Promise<unknown>;
  /** Views can be of one user alone. */
  hasOwn?: boolean;
}

/** The views of a screen of reports. */
export const reportViews = (screen: 'overview' | 'funnels'): ViewStore => ({
  key: ['saved views', screen],
  path: `/${screen}`,
  list: async (signal) => (await headwater.listSavedViews({ screen }, { signal })).views,
  save: (name, state) => headwater.saveView({ screen, name, state }),
  remove: (viewId) => headwater.deleteSavedView({ viewId }),
});
