import { notFound } from '../shared/errors.ts';

/** The number of a version as a path has it. @throws ApiError 404 where it cannot be one */
export function readVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('version');
  return Number(text);
}
