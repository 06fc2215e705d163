import { IDENTIFIER_NAMES, type IdentifierName } from '../../tracking/index.ts';

export const PROVIDERS = ['stripe', 'paypal', 'shopify', 'csv'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** A row of a file: values by the name of their column in lower case, or the path of a member of JSON such as `transaction_info.invoice_id`. */
export type Cells = Readonly<Record<string, string>>;

interface Provider {
  /** Columns that may identify the order or the event, in the order in which they are tried. */
  identifiers: readonly string[];
  /** Those of rows that take money back, if others come first for them. */
  refundIdentifiers?: readonly string[];
  gross: readonly string[];
  net: readonly string[];
  /** What the customer paid, where it differs from what the provider settles in. Its sign is that of the gross amount. */
  presented?: { amount: readonly string[]; currency: readonly string[] };
  currency: readonly string[];
  date: readonly string[];
  time: readonly string[];
  type: readonly string[];
  /** Types of rows that pay for an order or take it back; others, such as fees and payouts, are ignored. */
  counts: RegExp;
  /** The list in a JSON file. */
  list: readonly string[];
  /** Whether amounts in JSON are in the smallest unit of their currency. */
  hasMinorUnits?: boolean;
}

/**
 * The documented exports:
 * - Stripe: itemized payout reconciliation and balance reports (docs.stripe.com/reports/payout-reconciliation), JSON: balance transactions
 * - PayPal: activity download, and transaction search of the API (developer.paypal.com/docs/api/transaction-search)
 * - Shopify: transactions of payouts as CSV, and balance transactions of the Admin API (shopify.dev)
 */
export const PROVIDER: Record<ProviderName, Provider> = {
  stripe: {
    identifiers: [
      ...['event_id', 'eventid', 'order_id', 'orderid', 'order', 'transaction_id'].flatMap((key) => [
        `payment_metadata[${key}]`,
        `${key} (metadata)`,
        `source.metadata.${key}`,
      ]),
      ...['order_id', 'invoice_number', 'payment_intent_id', 'charge_id', 'source.payment_intent', 'invoice_id'],
      ...['source_id', 'source', 'source.id'],
    ],
    gross: ['gross', 'amount'],
    net: ['net'],
    presented: { amount: ['customer_facing_amount'], currency: ['customer_facing_currency'] },
    currency: ['currency'],
    date: ['created_utc', 'created'],
    time: [],
    type: ['reporting_category', 'type'],
    counts:
      /^(charge|charge_failure|payment|refund|refund_failure|payment_refund|payment_failure_refund|dispute|dispute_reversal|partial_capture_reversal)$/,
    list: ['data'],
    hasMinorUnits: true,
  },
  paypal: {
    identifiers: [
      ...[
        'invoice number',
        'invoice id',
        'transaction_info.invoice_id',
        'custom number',
        'transaction_info.custom_field',
      ],
      ...['transaction id', 'transaction_info.transaction_id'],
    ],
    refundIdentifiers: [
      ...[
        'invoice number',
        'invoice id',
        'transaction_info.invoice_id',
        'custom number',
        'transaction_info.custom_field',
      ],
      ...['reference txn id', 'transaction_info.paypal_reference_id'],
    ],
    gross: ['gross', 'transaction_info.transaction_amount.value'],
    net: ['net'],
    currency: ['currency', 'transaction_info.transaction_amount.currency_code'],
    date: ['date', 'transaction_info.transaction_initiation_date'],
    time: ['time'],
    type: ['type', 'description', 'transaction_info.transaction_event_code'],
    // T00: payments, T11: reversals, T12: chargebacks.
    counts:
      /^(?!.*(hold|currency|withdrawal|transfer|fee|deposit|authorization)).*(payment|checkout|cart|sale|refund|reversal|chargeback|donation|subscription)|^t(00|11|12)/,
    list: ['transaction_details'],
  },
  shopify: {
    identifiers: ['order', 'source_order_id', 'associatedorder.name', 'associatedorder.id', 'checkout'],
    gross: ['amount', 'amount.amount'],
    net: ['net', 'net.amount'],
    presented: { amount: ['presentment amount'], currency: ['presentment currency'] },
    currency: ['currency', 'amount.currencycode'],
    date: ['transaction date', 'processed_at', 'transactiondate'],
    time: [],
    type: ['type'],
    counts: /charge|refund|dispute/,
    list: ['transactions'],
  },
  csv: {
    identifiers: [
      ...[
        'eventid',
        'event_id',
        'event id',
        'order id',
        'order_id',
        'orderid',
        'order number',
        'order_number',
        'order reference',
      ],
      ...[
        'order_ref',
        'order',
        'transaction id',
        'transaction_id',
        'transactionid',
        'reference',
        'advertiser reference',
        'action id',
      ],
    ],
    gross: [
      'amount',
      'value',
      'gross',
      'sale amount',
      'sale_amount',
      'saleamount',
      'revenue',
      'commission',
      'payout',
      'total',
    ],
    net: ['net', 'commission', 'commission amount', 'commission_amount', 'payout'],
    currency: ['currency', 'currency code', 'currency_code', 'sale currency'],
    date: ['date', 'created', 'createdon', 'created_at', 'transaction date', 'transaction_date', 'event date', 'time'],
    time: [],
    type: [],
    counts: /(?:)/,
    list: ['rows', 'transactions', 'data', 'conversions'],
  },
};

/** The columns of click IDs and sessions, whoever made the file. */
export const CLICK_COLUMNS: readonly (readonly [column: string, name: IdentifierName])[] = IDENTIFIER_NAMES.flatMap(
  (name) =>
    ['', 'payment_metadata[', 'source.metadata.'].map(
      (prefix) => [`${prefix}${name.toLowerCase()}${prefix.endsWith('[') ? ']' : ''}`, name] as const,
    ),
);
