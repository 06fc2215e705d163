import { DAY } from '../../../server/src/shared/units.ts';
import { displayTimeZone } from '../shared/time-zone.ts';
import type { Target } from './columns.ts';
import type { DateOrder } from './conversion-times.ts';
import type { UploadedCsv } from './uploaded-csv.ts';

/** How far an upload got, kept in this browser so that it can be resumed whatever stopped it. */
interface UploadProgress {
  /** Identifies the account, the file's content, the column targets, the date format and the time zone. */
  key: string;
  /** Prefix of the idempotency keys: a batch that is sent twice is recorded once. */
  runId: string;
  /** The import in the service, which can be undone. */
  importId: string;
  sent: number;
  total: number;
  /** ISO 8601 */
  at: string;
}

const STORAGE_KEY = 'headwater-conversion-uploads';
const MAX_STORED = 20;
/** The lifetime of idempotency keys in the service. */
const MAX_AGE_MS = DAY;

export function uploadKey(
  accountId: string,
  { digest }: UploadedCsv,
  targets: readonly (Target | null)[],
  dateOrder: DateOrder | null,
): string {
  return JSON.stringify([accountId, digest, targets, dateOrder, displayTimeZone()]);
}

function storedUploads(): UploadProgress[] {
  try {
    const uploads: UploadProgress[] = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return uploads.filter(({ at }) => Date.now() - Date.parse(at) < MAX_AGE_MS);
  } catch {
    return [];
  }
}

export const findUpload = (key: string) => storedUploads().find((upload) => upload.key === key);

export function storeUpload(upload: UploadProgress): void {
  const others = storedUploads().filter(({ key }) => key !== upload.key);
  localStorage.setItem(STORAGE_KEY, JSON.stringify([upload, ...others].slice(0, MAX_STORED)));
}

export function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `upload-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
