import { invalid } from '../../shared/errors.ts';
import { LIMITS } from '../limits.ts';

/** A release is read as a whole when it is written and when it is published. @throws ApiError 400 `release_too_large` */
export function checkSize([size]: readonly { bytes: number }[]): void {
  if ((size?.bytes ?? 0) <= LIMITS.releaseBytes) return;
  const most = LIMITS.releaseBytes.toLocaleString('en');
  const detail = `The values of the entries are larger than ${most} bytes together. Divide them into several releases.`;
  throw invalid([{ pointer: '/items', code: 'release_too_large', detail }]);
}
