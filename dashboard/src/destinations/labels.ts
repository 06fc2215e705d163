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

/** Why a conversion was not sent, and what to do about it. */
const REASONS: Record<string, { label: string; fix?: string }> = {
  event_not_mapped: { label: 'No rule for this event', fix: 'Add a rule for the event, then retry.' },
  no_identifier: { label: 'No click ID of this platform and no email' },
  consent_missing: { label: 'No consent recorded', fix: 'Record the consent of visitors, or change the consent rule.' },
  consent_denied: { label: 'Consent denied' },
  currency_missing: { label: 'No currency', fix: 'Set a currency in the rule, then retry.' },
  before_start: { label: 'Before the start of sending' },
  too_old: { label: 'Older than the platform accepts' },
  value_zero: { label: 'Refunded before it was sent' },
  withdrawn: { label: 'Its import was undone' },
  value_negative: { label: 'Negative value' },
  event_filtered: { label: 'Event excluded by the filter', fix: 'Change the filter, then retry.' },
  source_filtered: { label: 'Source excluded by the filter', fix: 'Change the filter, then retry.' },
  value_below_minimum: { label: 'Below the minimum value' },
  platform_cannot_adjust: {
    label: 'The platform cannot change the value',
    fix: 'Set a delay, so that the settled value is sent.',
  },
  answer_lost: {
    label: 'The response was lost',
    fix: 'Look it up at the platform. Retry it only if it is missing there.',
  },
  erased: { label: 'The lead was erased' },
  validated: { label: 'Validated, not counted', fix: 'Go live to send conversions.' },
};

/** A code without a label of its own in words: `event_expired` is "Event expired". */
export function reasonLabel(code: string): string {
  const words = code.replaceAll('_', ' ');
  return REASONS[code]?.label ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export const fixOf = (code: string | null) => (code === null ? undefined : REASONS[code]?.fix);
