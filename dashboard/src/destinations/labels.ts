import type { Destination, DestinationDelivery, DestinationPlatform } from '@headwater/sdk';
import { t } from '../languages/translate.ts';

export type DeliveryStatus = DestinationDelivery['status'];

export const STATUSES: Record<DeliveryStatus, { label: string; color: string }> = {
  queued: { label: t('Queued'), color: 'gray' },
  sent: { label: t('Sent'), color: 'teal' },
  adjusted: { label: t('Adjusted'), color: 'teal' },
  retracted: { label: t('Retracted'), color: 'blue' },
  skipped: { label: t('Skipped'), color: 'gray' },
  rejected: { label: t('Rejected'), color: 'red' },
  not_adjustable: { label: t('Not adjustable'), color: 'orange' },
  uncertain: { label: t('Uncertain'), color: 'orange' },
};

export const MODES: Record<Destination['mode'], { label: string; description: string }> = {
  validate: { label: t('Validate'), description: t('Conversions are checked and not counted.') },
  live: { label: t('Live'), description: t('Conversions are sent and counted.') },
  off: { label: t('Off'), description: t('Nothing is sent.') },
};

/** Why a destination is paused, and what to do about it. */
export const PAUSES: Record<NonNullable<Destination['pauseReason']>, { badge: string; title: string; fix: string }> = {
  credentials: {
    badge: t('Paused: credentials rejected'),
    title: t('The platform refuses the credentials'),
    fix: t('Update the credentials. What waits is sent then.'),
  },
  access: {
    badge: t('Paused: no access'),
    title: t('The platform refuses this connection'),
    fix: t(
      'Restore the access at the platform, or update Headwater if a version has ended. It is tried again each hour, and what waits is sent then.',
    ),
  },
  refusals: {
    badge: t('Paused: many conversions rejected'),
    title: t('The platform refused many conversions in a row for the same reason'),
    fix: t(
      'Correct the cause, then resume. The rejected conversions are sent again; those that are rejected again stay so.',
    ),
  },
};

export const CONSENT: Record<Destination['consent'], string> = {
  required: t('Only with consent'),
  unless_denied: t('Unless consent was denied'),
  ignore: t('Always'),
};

export const ADJUSTMENT: Record<DestinationPlatform['adjustment'], string> = {
  overwrite: t('Adjusted values replace the earlier ones at the platform.'),
  restate: t('Adjusted values and refunds are sent to the platform.'),
  none: t('The platform cannot change a value later. A delay sends the value that the conversion has by then.'),
};

/** The parts of a destination's form. */
const FORM_PARTS = ['account', 'rules', 'filter', 'sending'] as const;
type FormPart = (typeof FORM_PARTS)[number];

export interface Fix {
  text: string;
  /** What to do: change the destination's form there, or send the conversion again. */
  at: FormPart | 'retry';
  label: string;
}

const EDIT_FILTER: Fix = { text: t('Change the filter, then retry.'), at: 'filter', label: t('Edit filter') };

/** Why a conversion was not sent, and what to do about it. */
const REASONS: Record<string, { label: string; fix?: Fix }> = {
  event_not_mapped: {
    label: t('No rule for this event'),
    fix: { text: t('Add a rule for the event, then retry.'), at: 'rules', label: t('Add rule') },
  },
  no_identifier: { label: t('No click ID of this platform and no email') },
  consent_missing: {
    label: t('No consent recorded'),
    fix: {
      text: t('Record the consent of visitors, or change the consent rule.'),
      at: 'filter',
      label: t('Edit consent'),
    },
  },
  consent_denied: { label: t('Consent denied') },
  currency_missing: {
    label: t('No currency'),
    fix: { text: t('Set a currency in the rule, then retry.'), at: 'rules', label: t('Set currency') },
  },
  value_missing: {
    label: t('No value'),
    fix: { text: t('Set a value in the rule, then retry.'), at: 'rules', label: t('Edit rules') },
  },
  before_start: { label: t('Before the start of sending') },
  too_old: { label: t('Older than the platform accepts') },
  value_zero: { label: t('Refunded before it was sent') },
  withdrawn: { label: t('Its import was undone') },
  value_untrusted: {
    label: t('Value from the publishable key'),
    fix: {
      text: t('Report the value from your back end, or trust values of pages, then retry.'),
      at: 'sending',
      label: t('Trust values of pages'),
    },
  },
  value_negative: { label: t('Negative value') },
  event_filtered: { label: t('Event excluded by the filter'), fix: EDIT_FILTER },
  source_filtered: { label: t('Source excluded by the filter'), fix: EDIT_FILTER },
  value_below_minimum: { label: t('Below the minimum value'), fix: EDIT_FILTER },
  platform_cannot_adjust: {
    label: t('The platform cannot change the value'),
    fix: { text: t('Set a delay, so that the settled value is sent.'), at: 'sending', label: t('Set delay') },
  },
  ambiguous_time: { label: t('Two conversions have the same click and second at the platform') },
  answer_lost: {
    label: t('The response was lost'),
    fix: {
      text: t('Check the platform. Retry only if the conversion is missing there.'),
      at: 'retry',
      label: t('Retry'),
    },
  },
  erased: { label: t('The lead was erased') },
  validated: {
    label: t('Validated, not counted'),
    fix: { text: t('Go live to send conversions.'), at: 'sending', label: t('Change mode') },
  },
};

/** A code without a label of its own in words: `event_expired` is "Event expired". */
export function reasonLabel(code: string): string {
  const words = code.replaceAll('_', ' ');
  return REASONS[code]?.label ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** How to get a conversion sent that was not, where it can be. */
export function fixOf({ status, reason }: Pick<DestinationDelivery, 'status' | 'reason'>): Fix | undefined {
  const fix = reason === null ? undefined : REASONS[reason]?.fix;
  const check: Fix = {
    text: t('Check the rule and the credentials, then retry.'),
    at: 'rules',
    label: t('Edit rules'),
  };
  return fix ?? (status === 'rejected' ? check : undefined);
}
