import { IDENTIFIER_NAMES, type IdentifierName } from '../../tracking/index.ts';

export const PROVIDERS = ['stripe', 'paypal', 'shopify', 'csv'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** A row of a file: values by the name of their column in lower case, or the path of a member of JSON such as `transaction_info.invoice_id`. */
export type Cells = Readonly<Record<string, string>>;

interface Provider {
  /** Columns that may name the order or the event of the shop, in the order in which they are tried. Rows with the same one are of one order. */
  orders: readonly string[];
  /** Those that may, or may say something else that many orders share. */
  texts?: readonly string[];
  /** The provider's own IDs of the payment, by which its refunds are of the same order. */
  payments: readonly string[];
  /** Those of rows that take money back, if these are in other columns. */
  refundedPayments?: readonly string[];
  /** The ID of the row itself, so that one that is repeated counts once. */
  id: readonly string[];
  gross: readonly string[];
  net: readonly string[];
  /** What the customer paid, where it differs from what the provider settles in. Its sign is that of the gross amount. */
  presented?: { amount: readonly string[]; currency: readonly string[] };
  currency: readonly string[];
  /** Of those that end with UTC, times without a time zone are in UTC. */
  date: readonly string[];
  time: readonly string[];
  timeZone: readonly string[];
  type: readonly string[];
  /** Types of rows that pay for an order or take it back; others, such as fees and payouts, are ignored. */
  counts: RegExp;
  /** Types of rows that take money back, if negative amounts of others are purchases of the shop itself. */
  takesBack?: RegExp;
  /** Columns with what says that no money has moved. */
  ignored?: readonly (readonly [columns: readonly string[], values: RegExp])[];
  /** The list in a JSON file. */
  list: readonly string[];
  /** Whether amounts in JSON are in the smallest unit of their currency. */
  hasMinorUnits?: boolean;
}

const PAYPAL_ORDERS = ['invoice number', 'invoice id', 'rechnungsnummer', 'transaction_info.invoice_id'];

/**
 * The documented exports:
 * - Stripe: itemized payout reconciliation and balance reports (docs.stripe.com/reports/payout-reconciliation), the export of the balance
 *   in its dashboard, JSON: balance transactions
 * - PayPal: activity download and statements in English and German, and transaction search of the API
 *   (developer.paypal.com/docs/api/transaction-search)
 * - Shopify: transactions of payouts as CSV, and balance transactions of the Admin API (shopify.dev)
 */
export const PROVIDER: Record<ProviderName, Provider> = {
  stripe: {
    orders: [
      ...['event_id', 'eventid', 'order_id', 'orderid', 'order', 'transaction_id'].flatMap((key) => [
        `payment_metadata[${key}]`,
        `${key} (metadata)`,
        `source.metadata.${key}`,
      ]),
      'order_id',
    ],
    payments: [
      ...['invoice_number', 'payment_intent_id', 'charge_id', 'source.payment_intent', 'source.charge', 'invoice_id'],
      ...['source_id', 'source', 'source.id'],
    ],
    id: ['balance_transaction_id', 'id'],
    gross: ['gross', 'amount'],
    net: ['net'],
    presented: {
      amount: ['customer_facing_amount', 'customer facing amount'],
      currency: ['customer_facing_currency', 'customer facing currency'],
    },
    currency: ['currency'],
    date: ['created_utc', 'created (utc)', 'created'],
    time: [],
    timeZone: [],
    type: ['reporting_category', 'reporting category', 'type'],
    counts:
      /^(charge|charge_failure|payment|refund|refund_failure|payment_refund|payment_failure_refund|dispute|dispute_reversal|partial_capture_reversal)$/,
    list: ['data'],
    hasMinorUnits: true,
  },
  paypal: {
    orders: PAYPAL_ORDERS,
    texts: ['custom number', 'zollnummer', 'transaction_info.custom_field'],
    payments: ['transaction id', 'transaktionscode', 'transaction_info.transaction_id'],
    refundedPayments: ['reference txn id', 'zugehöriger transaktionscode', 'transaction_info.paypal_reference_id'],
    id: ['transaction id', 'transaktionscode', 'transaction_info.transaction_id'],
    gross: ['gross', 'brutto', 'transaction_info.transaction_amount.value'],
    net: ['net', 'netto'],
    currency: ['currency', 'währung', 'transaction_info.transaction_amount.currency_code'],
    date: ['date', 'datum', 'transaction_info.transaction_initiation_date'],
    time: ['time', 'uhrzeit'],
    timeZone: ['timezone', 'time zone', 'zeitzone'],
    type: ['type', 'typ', 'description', 'beschreibung', 'transaction_info.transaction_event_code'],
    // T00: payments, T1100, T1106 and T1107: reversals and refunds, T12: chargebacks. Others of T11 reverse transfers, fees and holds.
    counts:
      /^(?!.*(hold|release|currency|withdrawal|transfer|fee|deposit|authori[sz]ation|cart item|mass pay|einbehalt|gebühr|autorisierung)).*(payment|checkout|cart|sale|refund|reversal|chargeback|donation|subscription|zahlung|rückbuchung|spende|abonnement)|^t(00|110[067]|12)/,
    takesBack: /refund|reversal|chargeback|dispute|rückzahlung|rückerstattung|rückbuchung|^t1[12]/,
    ignored: [
      [
        ['status', 'transaction_info.transaction_status'],
        /^(pending|denied|cancell?ed|expired|failed|uncleared|unclaimed|held|on hold|processing|voided|ausstehend|abgelehnt|storniert|abgebrochen|fehlgeschlagen|[dp])$/,
      ],
      [['balance impact', 'auswirkung auf guthaben'], /^memo$/],
    ],
    list: ['transaction_details'],
  },
  shopify: {
    orders: ['order', 'source_order_id', 'associatedorder.name', 'associatedorder.id'],
    payments: ['checkout'],
    id: ['id'],
    gross: ['amount', 'amount.amount'],
    net: ['net', 'net.amount'],
    presented: { amount: ['presentment amount'], currency: ['presentment currency'] },
    currency: ['currency', 'amount.currencycode'],
    date: ['transaction date', 'processed_at', 'transactiondate'],
    time: [],
    timeZone: [],
    type: ['type'],
    counts: /^(charge|refund([ _]failure)?|dispute([ _](withdrawal|reversal))?|chargeback([ _](won|lost|reversal))?)$/,
    ignored: [[['test'], /^true$/]],
    list: ['transactions'],
  },
  csv: {
    orders: [
      ...['eventid', 'event_id', 'event id', 'order id', 'order_id', 'orderid', 'order number', 'order_number'],
      ...['order reference', 'order_ref', 'order', 'reference', 'advertiser reference'],
    ],
    payments: ['transaction id', 'transaction_id', 'transactionid', 'action id'],
    id: [],
    gross: [
      ...[
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
    ],
    net: ['net', 'commission', 'commission amount', 'commission_amount', 'payout'],
    currency: ['currency', 'currency code', 'currency_code', 'sale currency'],
    date: ['date', 'created', 'createdon', 'created_at', 'transaction date', 'transaction_date', 'event date', 'time'],
    time: [],
    timeZone: ['timezone', 'time zone', 'time_zone'],
    type: [],
    counts: /(?:)/,
    list: ['rows', 'transactions', 'data', 'conversions'],
  },
};

/** The columns of click IDs and sessions, whoever made the file. */
export const CLICK_COLUMNS: readonly (readonly [column: string, name: IdentifierName])[] = IDENTIFIER_NAMES.flatMap(
  (name) => {
    const column = name.toLowerCase();
    const metadata = [`payment_metadata[${column}]`, `${column} (metadata)`, `source.metadata.${column}`];
    return [column, ...metadata].map((each) => [each, name] as const);
  },
);
