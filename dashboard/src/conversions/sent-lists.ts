import type { Target } from './columns.ts';
import type { List } from './list.ts';

/** How far the reporting of a list came, kept in this browser: so that it goes on where it stopped, whatever stopped it. */
export interface SentList {
  /** What is in the file, and what its columns are. */
  key: string;
  /** Of its requests: one that is sent twice is recorded once. */
  runId: string;
  sent: number;
  total: number;
  /** ISO 8601 */
  at: string;
}

const STORED = 'headwater-sent-lists';
const KEPT = 20;
/** As long as the service knows a request that is sent again. */
const KEPT_MS = 24 * 3_600_000;

export function listKey(accountId: string, { digest }: List, targets: readonly (Target | null)[]): string {
  return JSON.stringify([accountId, digest, targets]);
}

function sentLists(): SentList[] {
  try {
    const lists: SentList[] = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return lists.filter(({ at }) => Date.now() - Date.parse(at) < KEPT_MS);
  } catch {
    return [];
  }
}

export const findSentList = (key: string) => sentLists().find((list) => list.key === key);

export function keepSentList(list: SentList): void {
  const others = sentLists().filter(({ key }) => key !== list.key);
  localStorage.setItem(STORED, JSON.stringify([list, ...others].slice(0, KEPT)));
}

export function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `list-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
