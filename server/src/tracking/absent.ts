/**
 * A macro that an ad platform did not fill in (`{gclid}`, `{{gclid}}`, `[gclid]`, `${gclid}`, `__GCLID__`, `%%GCLID%%`), or
 * the text of a missing value. The name in a macro has no hyphens, so that a GUID in braces is a value.
 */
const UNFILLED = /^(?:(?:\$?\{\{?|\[|__|%%) *[a-z_][\w.:|]* *(?:\}\}?|\]|__|%%)|null|undefined)$/i;

/** Whether a value in a landing URL, postback or conversion item is an unfilled macro or a missing value's text. */
export function isUnfilled(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 255 && UNFILLED.test(value.trim());
}

/** Whether a value in a landing URL, postback or conversion item counts as absent. */
export function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '') || isUnfilled(value)
  );
}
