import type { Fault } from '../../shared/errors.ts';
import { type Field, isActive } from './field.ts';
import { isAnyText } from './merge-fields.ts';

/** A slug is derived from a single text of the same entry. The source may be deleted later: nothing is derived then. */
export function checkSlugSources(fields: readonly Field[], sent: readonly object[], faults: Fault[]): void {
  const byId = new Map(fields.map((field) => [field.id, field]));
  for (const [i, { slugSource }] of (sent as { slugSource?: string | null }[]).entries()) {
    if (slugSource == null) continue;
    const source = byId.get(slugSource);
    if (source && isActive(source) && isSlugSource(source)) continue;
    const detail = 'A slug is derived from an active text field that is not repeated.';
    faults.push({ pointer: `/fields/${i}/slugSource`, code: 'slug_source_invalid', detail });
  }
}

const isSlugSource = ({ type, format, repeated }: Field) => type === 'text' && !repeated && isAnyText(format);
