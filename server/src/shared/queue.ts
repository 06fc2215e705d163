/** Something in a queue that was due before a time, the oldest of its part of the queue. */
export interface Overdue {
  /** null: it belongs to the installation, like a backup. */
  accountId: string | null;
  /** What waits, in words: the name of a destination, the type of a job; '' if the queue has no parts. */
  subject: string;
  /** When it was due. */
  since: Date;
}

/** Work that waits for a worker. Every module with such work contributes its queues, so that none stops without a word. */
export interface Queue {
  /** In metrics and in the API. */
  name: string;
  /** In notices: "Webhook deliveries". */
  label: string;
  /** The tables with its rows, by which a test checks that no queue is missing. */
  tables: readonly string[];
  findOverdue(before: Date): Promise<Overdue[]>;
}

/** Rows of statements, which name an account. */
export const overdueRows = (rows: readonly { account_id: string; subject?: string | null; since: Date }[]): Overdue[] =>
  rows.map(({ account_id, subject, since }) => ({ accountId: account_id, subject: subject ?? '', since }));

/** Parts of queues that are overdue at most. */
export const MOST_OVERDUE = 1_000;
