/** Unsaved form values, kept in this browser so that they survive a reload or a crash. Signing out deletes them. */

const PREFIX = 'headwater-draft ';
const MAX_AGE_MS = 7 * 86_400_000;

/** The account is part of the URL, and so of the key. */
const storageKey = (name: string) => `${PREFIX}${window.location.pathname} ${name}`;

/** The stored values, if they have all members of the initial ones and differ from them. */
export function readDraft<Values extends object>(name: string, initial: Values): Values | undefined {
  try {
    const { at, values } = JSON.parse(localStorage.getItem(storageKey(name)) ?? '{}');
    const isCurrent = Date.now() - at < MAX_AGE_MS && Object.keys(initial).every((key) => key in values);
    return isCurrent && JSON.stringify(values) !== JSON.stringify(initial) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** undefined deletes the draft. */
export function writeDraft(name: string, values: object | undefined): void {
  if (values === undefined) localStorage.removeItem(storageKey(name));
  else localStorage.setItem(storageKey(name), JSON.stringify({ at: Date.now(), values }));
}

export function deleteDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}
