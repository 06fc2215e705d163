import type { PageTokens } from '../shared/page-token.ts';
import type { Tx } from '../shared/postgres/database.ts';
import { DEFAULT_PAGE_SIZE, type Webhook } from './contract.ts';
import { webhookAnswer } from './endpoint.ts';
import { listEndpoints } from './queries.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';

/** The endpoints of an account, oldest first. */
export async function listWebhooks(
  tx: Tx,
  pageTokens: PageTokens,
  accountId: string,
  query: { pageSize?: number; pageToken?: string },
  now: number,
): Promise<{ webhooks: Webhook[]; nextPageToken: string | null }> {
  const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = query;
  const scope = [accountId, '/v1/webhooks'];
  const after = pageToken ? (pageTokens.read(scope, pageToken) as string) : FIRST;
  const rows = await listEndpoints(tx, accountId, after, pageSize + 1);
  const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
  return {
    webhooks: rows.slice(0, pageSize).map((row) => webhookAnswer(row, now)),
    nextPageToken: last ? pageTokens.write(scope, last.id) : null,
  };
}
