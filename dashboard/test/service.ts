import { createAccount } from '../../server/src/accounts/index.ts';
import { openDatabase } from '../../server/src/shared/postgres/database.ts';
import { embeddedConnection } from '../../server/src/shared/postgres/embedded.ts';
import { newDataDir, startService } from '../../server/test/service-process.ts';

export interface Account {
  token: string;
  apiKey: string;
}

/** The real service as its own process, and accounts in it. */
export async function startDashboardService(): Promise<{ url: string; newAccount(): Promise<Account> }> {
  const dataDir = newDataDir();
  const { url } = await startService({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  return {
    url,
    async newAccount() {
      const db = openDatabase(embeddedConnection(dataDir), 1, () => {});
      try {
        return await createAccount(db, 'Outdoor shop');
      } finally {
        await db.close();
      }
    },
  };
}
