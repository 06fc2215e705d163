import type { Destination, DestinationDelivery, DestinationPlatform } from '@headwater/sdk';

export type DeliveryStatus = DestinationDelivery['status'];

export const STATUSES: Record<DeliveryStatus, { label: string; color: string }> = {
  queued: { label: 'Queued', color: 'gray' },
  sent: { label: 'Sent', color: 'teal' },
  adjusted: { label: 'Adjusted', color: 'teal' },
  retracted: { label: 'Retracted', color: 'blue' },
  skipped: { label: 'Skipped', color: 'gray' },
  rejected: { label: 'Rejected', color: 'red' },
  not_adjustable: { label: 'Not adjustable', color: 'orange' },
  uncertain: { label: 'Uncertain', color: 'orange' },
};

export const MODES: Record<Destination['mode'], { label: string; description: string }> = {
  validate: { label: 'Validate', description: 'Conversions are checked and not counted.' },
  live: { label: 'Live', description: 'Conversions are sent and counted.' },
  off: { label: 'Off', description: 'Nothing is sent.' },
};

export const CONSENT: Record<Destination['consent'], string> = {
  required: 'Only with consent',
  unless_denied: 'Unless consent was denied',
  ignore: 'Always',
};

export const ADJUSTMENT: Record<DestinationPlatform['adjustment'], string> = {
  overwrite: 'Adjusted values replace the earlier ones at the platform.',
  restate: 'Adjusted values and refunds are sent to the platform.',
  none: 'The platform cannot change a value later. A delay sends the value that the conversion has by then.',
};

/** The parts of a destination's form. */
export const FORM_PARTS = ['account', 'rules', 'filter', 'sending'] as const;
export type FormPart = (typeof FORM_PARTS)[number];

export interface Fix {
  text: string;
  /** What to do: change the destination's form there, or send the conversion again. */
  at: FormPart | 'retry';
  label: string;
}

const EDIT_FILTER: Fix = { text: 'Change the filter, then retry.', at: 'filter', label: 'Edit filter' };

/** Why a conversion was not sent, and what to do about it. */
const REASONS: Record<string, { label: string; fix?: Fix }> = {
  event_not_mapped: {
    label: 'No rule for this event',
    fix: { text: 'Add a rule for the event, then retry.', at: 'rules', label: 'Add rule' },
  },
  no_identifier: { label: 'No click ID of this platform and no email' },
  consent_missing: {
    label: 'No consent recorded',
    fix: { text: 'Record the consent of visitors, or change the consent rule.', at: 'filter', label: 'Edit consent' },
  },
  consent_denied: { label: 'Consent denied' },
  currency_missing: {
    label: 'No currency',
    fix: { text: 'Set a currency in the rule, then retry.', at: 'rules', label: 'Set currency' },
  },
  before_start: { label: 'Before the start of sending' },
  too_old: { label: 'Older than the platform accepts' },
  value_zero: { label: 'Refunded before it was sent' },
  withdrawn: { label: 'Its import was undone' },
  value_negative: { label: 'Negative value' },
  event_filtered: { label: 'Event excluded by the filter', fix: EDIT_FILTER },
  source_filtered: { label: 'Source excluded by the filter', fix: EDIT_FILTER },
  value_below_minimum: { label: 'Below the minimum value', fix: EDIT_FILTER },
  platform_cannot_adjust: {
    label: 'The platform cannot change the value',
    fix: { text: 'Set a delay, so that the settled value is sent.', at: 'sending', label: 'Set delay' },
  },
  answer_lost: {
    label: 'The response was lost',
    fix: { text: 'Check the platform. Retry only if the conversion is missing there.', at: 'retry', label: 'Retry' },
  },
  erased: { label: 'The lead was erased' },
  validated: {
    label: 'Validated, not counted',
    fix: { text: 'Go live to send conversions.', at: 'sending', label: 'Change mode' },
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
  const check: Fix = { text: 'Check the rule and the credentials, then retry.', at: 'rules', label: 'Edit rules' };
  return fix ?? (status === 'rejected' ? check : undefined);
}
