import type { Fault } from '../../shared/errors.ts';

const PLACEHOLDERS = ['id', 'slug', 'collectionId', 'locale', 'token'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];
const PATTERN = /\{([^{}]*)\}/g;

/** @param template http or https with placeholders */
export function checkPreviewUrl(template: string | null, faults: Fault[]): void {
  if (template === null) return;
  const pointer = '/previewUrl';
  const unknown = [...template.matchAll(PATTERN)].find(([, name]) => !PLACEHOLDERS.includes(name as Placeholder));
  if (unknown) {
    const known = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');
    const detail = `There is no placeholder ${unknown[0].slice(0, 60)}. Use ${known}.`;
    faults.push({ pointer, code: 'placeholder_unknown', detail });
  }
  // The host must not depend on an entry.
  const [origin = ''] = /^https?:\/\/[^/?#{}]+(?=[/?#]|$)/.exec(template) ?? [];
  if (origin !== '' && URL.canParse(template.replaceAll(PATTERN, 'x'))) return;
  const detail = 'The preview URL must be an http or https URL whose host has no placeholders.';
  faults.push({ pointer, code: 'url_invalid', detail });
}

/** The URL of a preview. An entry without a slug is shown by its ID. */
export function previewUrlOf(template: string, values: Record<Placeholder, string>): string {
  return template.replaceAll(PATTERN, (_, name: Placeholder) => encodeURIComponent(values[name]));
}
