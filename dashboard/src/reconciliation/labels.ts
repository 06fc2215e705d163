import type { Reconciliation, ReconciliationLine } from '@headwater/sdk';
import { serviceText } from '../languages/service-texts.ts';
import { t } from '../languages/translate.ts';

export type Provider = Reconciliation['settings']['provider'];
export type Outcome = ReconciliationLine['outcome'];
export type ComparedOutcome = Exclude<Outcome, 'faulty'>;

export const PROVIDER_LABELS: Record<Provider, string> = {
  stripe: t('Stripe'),
  paypal: t('PayPal'),
  shopify: t('Shopify'),
  csv: t('Other CSV'),
};

/** Which file of a provider is meant. */
export const PROVIDER_FILES: Record<Provider, string> = {
  stripe: t('The itemized CSV of payout reconciliation or of the balance, with the metadata of payments.'),
  paypal: t('The CSV of Activity download, with Invoice Number and Reference Txn ID, in English or German.'),
  shopify: t('The CSV of the transactions of payouts.'),
  csv: t(
    'Columns for the order ID or a click ID, the amount, the currency and the date, such as a statement of a network.',
  ),
};

export const STATUS_LABELS: Record<Reconciliation['status'], string> = {
  matching: t('Comparing'),
  ready: t('Compared'),
  applying: t('Applying'),
  applied: t('Applied'),
  undoing: t('Undoing'),
  undone: t('Undone'),
  stopped: t('Stopped'),
  failed: t('Failed'),
};

export const OUTCOME_LABELS: Record<Outcome, string> = {
  equal: t('Equal'),
  different: t('Different'),
  missingHere: t('Missing here'),
  missingThere: t('Missing there'),
  faulty: t('Invalid rows'),
};

export const OUTCOME_NOTES: Record<ComparedOutcome, string> = {
  equal: t('The file and the conversion agree.'),
  different: t('The conversion has another value.'),
  missingHere: t('Paid, but no conversion has it.'),
  missingThere: t('A conversion that the file does not have.'),
};

const REASON_LABELS: Record<string, string> = {
  amount: t('Another amount'),
  currency: t('Another currency'),
  refund: t('Refund is missing here'),
  unmatched: t('Reported, session unknown'),
  unknown: t('Names no click ID'),
  ambiguous: t('May be another conversion of its click'),
  faultyRow: t('Another row of it is invalid'),
  noEventId: t('Conversion without an event ID'),
  changed: t('Changed since it was compared'),
};

export const reasonOf = ({ reason, detail }: ReconciliationLine) =>
  detail === null ? (reason === null ? '' : (REASON_LABELS[reason] ?? reason)) : serviceText(detail);
