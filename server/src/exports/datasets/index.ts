import { conversions } from './conversions.ts';
import type { Dataset } from './dataset.ts';
import { events } from './events.ts';
import { leads } from './leads.ts';
import { sessions } from './sessions.ts';
import { unmatched } from './unmatched.ts';
import { visits } from './visits.ts';

/** Every dataset that can be exported. To add one, write its file and name it here. */
export const DATASETS = { sessions, visits, events, conversions, leads, unmatched } satisfies Record<string, Dataset>;

export type DatasetName = keyof typeof DATASETS;
