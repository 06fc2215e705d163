import { type Fault, invalid } from '../../shared/errors.ts';

/** Where a new file is, and who can read it. */
export interface Placement {
  /** As sent; null: outside of folders. */
  folderId: string | null;
  isPrivate: boolean;
}

/** The placement that the fields of an upload ask for. @throws ApiError 400 */
export function placementOf(fields: Readonly<Record<string, unknown>>): Placement {
  const { folderId, private: isPrivate } = fields;
  const faults: Fault[] = [];
  if (!['true', 'false', '', undefined].includes(isPrivate as string | undefined)) {
    faults.push({ pointer: '/private', code: 'not_allowed', detail: '"private" must be true or false.' });
  }
  if (faults.length > 0) throw invalid(faults);
  return {
    folderId: typeof folderId === 'string' && folderId !== '' ? folderId : null,
    isPrivate: isPrivate === 'true',
  };
}
