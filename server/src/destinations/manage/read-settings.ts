import { readAmount } from '../../conversions/index.ts';
import { readCurrency } from '../../shared/currency.ts';
import { escapePointer, type Fault } from '../../shared/errors.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import { isoTime, parseTimestamp } from '../../shared/time.ts';
import type { Destination, Filter, MappingRule } from '../contract.ts';
import type { Credentials, PlatformForm } from '../platforms/platform.ts';
import { type PlatformId, platformOf } from '../platforms/registry.ts';
import type { CredentialFields } from './credentials.ts';

const DAY_SECONDS = 86_400;

/** A pattern of words is a choice. */
const choicesOf = (pattern: string) => (/^\w+(\|\w+)+$/.test(pattern) ? pattern.split('|').join(', ') : undefined);

/** Checks credentials against the platform's form. */
export function checkCredentials(
  {
    name: platform,
    credentials: fields,
    checkCredentials: check,
  }: Pick<PlatformForm, 'name' | 'credentials' | 'checkCredentials'>,
  credentials: Credentials,
  mayConnect: MayConnect,
): Fault[] {
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(credentials)) {
    const pointer = `/credentials/${escapePointer(name)}`;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) {
      faults.push({ pointer, code: 'unknown_property', detail: `\`${pointer}\` is not a credential of ${platform}.` });
    } else if (!new RegExp(`^(?:${field.pattern})$`).test(value)) {
      const choices = choicesOf(field.pattern);
      const detail = choices
        ? `\`${pointer}\` must be one of: ${choices}.`
        : `\`${pointer}\` is invalid. Use the form of "${field.example.split('\n')[0]}".`;
      faults.push({ pointer, code: 'credential_invalid', detail });
    }
  }
  for (const [name, { isRequired }] of Object.entries(fields)) {
    if (!isRequired || credentials[name] !== undefined) continue;
    const pointer = `/credentials/${name}`;
    faults.push({ pointer, code: 'required', detail: `\`${pointer}\` is required.` });
  }
  if (faults.length > 0) return faults;
  const { url } = credentials;
  return [...(check?.(credentials) ?? []), ...(url === undefined ? [] : checkUrl(url, mayConnect, '/credentials/url'))];
}

/**
 * The credentials after a change: those that were sent replace those that are stored, and an empty text removes one. Whoever changes where
 * the secrets are sent has to know them, or could read them there: they are never returned.
 * @param faults gets a fault for each secret that has to be sent again
 */
export function changeCredentials(
  fields: CredentialFields,
  stored: Credentials,
  sent: Credentials,
  faults: Fault[],
): Credentials {
  const merged = Object.entries({ ...stored, ...sent }).filter(
    ([name, value]) => value !== '' || fields[name]?.isRequired,
  );
  const credentials = Object.fromEntries(merged);
  const moved = Object.entries(fields).find(
    ([name, field]) => !field.isSecret && field.decidesHost && credentials[name] !== stored[name],
  );
  for (const [name, { isSecret, label }] of Object.entries(fields)) {
    if (moved === undefined || !isSecret || stored[name] === undefined || sent[name] !== undefined) continue;
    const detail = `\`/credentials/${moved[0]}\` decides where the secret is sent. Send \`/credentials/${name}\` (${label}) again, or an empty text to remove it.`;
    faults.push({ pointer: `/credentials/${name}`, code: 'secret_required', detail });
  }
  return credentials;
}

/** The mapping as it is stored, with every default; adds its faults to `faults`. */
export function readMapping(
  platform: PlatformId,
  rules: readonly MappingRule[] | undefined,
  faults: Fault[],
): Destination['mapping'] {
  const { target } = platformOf(platform);
  const isTarget = new RegExp(`^(?:${target.pattern})$`);
  const seen = new Set<string>();
  return (rules ?? []).map((rule, i) => {
    const refuse = (member: string, code: string, detail: string) =>
      faults.push({ pointer: `/mapping/${i}/${member}`, code, detail });
    if (seen.has(rule.event)) refuse('event', 'duplicate', `The event "${rule.event}" has two rules.`);
    seen.add(rule.event);
    if (!isTarget.test(rule.target)) {
      refuse('target', 'target_invalid', `The ${target.label} is invalid. Use the form of "${target.example}".`);
    }
    const { value = 'send' } = rule;
    const amount = value === 'fixed' ? readAmount(rule.amount) : undefined;
    if (value === 'fixed' && amount === undefined) {
      refuse('amount', 'value_invalid', 'With value "fixed", `amount` must be a number.');
    }
    const sent = rule.currency ?? null;
    const currency = sent === null ? null : readCurrency(sent);
    if (currency === undefined) refuse('currency', 'currency_invalid', 'The currency must be an ISO 4217 code.');
    return { event: rule.event, target: rule.target, value, amount: amount ?? null, currency: currency ?? null };
  });
}

export function readFilter(filter: Filter | null, faults: Fault[]): Destination['filter'] {
  const sent = filter?.minimumValue ?? null;
  const minimumValue = sent === null ? null : readAmount(sent);
  if (minimumValue === undefined) {
    const detail = 'The minimum value must be a number.';
    faults.push({ pointer: '/filter/minimumValue', code: 'value_invalid', detail });
  }
  return { events: filter?.events ?? null, sources: filter?.sources ?? null, minimumValue: minimumValue ?? null };
}

/** The stored form of a time that the schema accepted. */
export const readTime = (text: string): string => isoTime(parseTimestamp(text) ?? Date.parse(text));

/** A platform must still accept a conversion when it is sent. */
export function checkDelay(platform: PlatformId, sendAfter: number): Fault[] {
  const { maxAgeDays } = platformOf(platform);
  const most = (maxAgeDays - 1) * DAY_SECONDS;
  if (sendAfter <= most) return [];
  const detail = `The platform accepts conversions for ${maxAgeDays} days, so \`sendAfter\` can be at most ${most}.`;
  return [{ pointer: '/sendAfter', code: 'out_of_range', detail }];
}

/** What is sent early has to be scaled only where it cannot be corrected. */
export function checkValueSent(platform: PlatformId, value: Destination['value']): Fault[] {
  const { adjustment, purges, name } = platformOf(platform);
  if (value === 'current' || (!purges && (value === 'settled' || adjustment === 'none'))) return [];
  const detail = purges
    ? 'A destination that purges caches sends no values. Omit `value`.'
    : `${name} takes later changes of values, so \`expected\` would count them twice. Use \`current\` or \`settled\`.`;
  return [{ pointer: '/value', code: 'value_not_allowed', detail }];
}

/** What conversions need, and a destination that purges caches does not have. */
export function checkKind(
  platform: PlatformId,
  { mapping, consent, mode }: { mapping?: readonly unknown[]; consent?: string; mode?: string },
): Fault[] {
  if (platformOf(platform).purges) {
    const faults: Fault[] = [];
    if (mapping?.length) {
      const detail = 'A destination that purges caches has no mapping. Omit it.';
      faults.push({ pointer: '/mapping', code: 'mapping_not_allowed', detail });
    }
    if (mode === 'validate') {
      const detail = 'Purges cannot be validated without being made. Use the mode "live" or "off".';
      faults.push({ pointer: '/mode', code: 'mode_not_allowed', detail });
    }
    return faults;
  }
  const isMissing = { mapping: !mapping?.length, consent: consent === undefined, mode: mode === undefined };
  return Object.entries(isMissing).flatMap(([name, is]) =>
    is ? [{ pointer: `/${name}`, code: 'required', detail: `\`/${name}\` is required.` }] : [],
  );
}
