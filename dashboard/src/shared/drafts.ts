import { parseExact } from '@headwater/sdk';
import { DAY } from '../../../server/src/shared/units.ts';

/**
 * Unsaved form values, kept in this browser so that they survive a reload or a crash. Signing out deletes them. Each tab has its own: a
 * tab restores what it kept itself, and offers what another one did.
 */

const PREFIX = 'headwater-draft ';
const MAX_AGE_MS = 7 * DAY;

/** Of this tab. A reload keeps it. */
const tabId = () => {
  const stored = sessionStorage.getItem('headwater-tab');
  if (stored !== null) return stored;
  const made = Math.random().toString(36).slice(2);
  sessionStorage.setItem('headwater-tab', made);
  return made;
};

/** The account is part of the URL, and so of the key. */
const formKey = (name: string) => `${PREFIX}${window.location.pathname} ${name} `;

/** Whether a draft is one of a form of this page, which may have become another one since. */
export const isDraftOf = (key: string, name: string): boolean => key.startsWith(formKey(name));

export interface Draft<Values> {
  /** Where it is stored. */
  key: string;
  at: number;
  values: Values;
}

/** The stored values, if they have all members of the initial ones and differ from them. JSON drops those that are undefined. */
function readKey<Values extends object>(key: string, initial: Values): Draft<Values> | undefined {
  try {
    const { at, values } = parseExact(localStorage.getItem(key) ?? '{}') as Draft<Values>;
    const isCurrent =
      Date.now() - at < MAX_AGE_MS &&
      Object.entries(initial).every(([each, value]) => value === undefined || each in values);
    return isCurrent && JSON.stringify(values) !== JSON.stringify(initial) ? { key, at, values } : undefined;
  } catch {
    return undefined;
  }
}

/** The key of this tab's draft of a form of this page. */
export const draftKey = (name: string): string => formKey(name) + tabId();

export const readDraft = <Values extends object>(name: string, initial: Values): Values | undefined =>
  readKey(draftKey(name), initial)?.values;

/** The latest draft that another tab, or one that was closed, has of this form. */
export function readOtherDraft<Values extends object>(name: string, initial: Values): Draft<Values> | undefined {
  const [start, own] = [formKey(name), draftKey(name)];
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(start) && key !== own)
    .flatMap((key) => readKey(key, initial) ?? [])
    .sort((a, b) => b.at - a.at)[0];
}

/** undefined deletes the draft. */
export function writeDraft(key: string, values: object | undefined): void {
  if (values === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify({ at: Date.now(), values }));
}

export function deleteDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
