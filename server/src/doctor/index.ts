/** Checks settings and surroundings for whoever operates the service. */
import { type Config, ConfigError, readConfig } from '../shared/config.ts';
import { createLog } from '../shared/log.ts';
import { refuseUnusableData } from '../shared/postgres/data-version.ts';
import type { Database } from '../shared/postgres/database.ts';
import { NO_INSTANCE, openStore } from '../shared/postgres/open-store.ts';
import { VERSION } from '../shared/version.ts';
import { DATABASE_CHECKS, describe, type Finding, MACHINE_CHECKS } from './checks.ts';

interface Diagnosis {
  version: string;
  node: string;
  isHealthy: boolean;
  findings: Finding[];
}

/** Checks settings, machine, storage and database without changing any of them. Each check runs, whatever others found. */
export async function diagnose(env: Record<string, string | undefined>): Promise<Diagnosis> {
  const findings: Finding[] = [];
  const config = readSettings(env, findings);
  if (config && isUsable(config, findings)) {
    for (const [check, run] of Object.entries(MACHINE_CHECKS)) {
      findings.push({ check, ...(await run(config).catch(asFinding)) });
    }
    await checkDatabase(config, findings);
  }
  const isHealthy = findings.every(({ status }) => status !== 'error');
  return { version: VERSION, node: process.version, isHealthy, findings };
}

function readSettings(env: Record<string, string | undefined>, findings: Finding[]): Config | undefined {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    findings.push({ check: 'configuration', status: 'error', detail: error.message });
    return undefined;
  }
}

/** What cannot be upgraded is left as it is. */
function isUsable({ databaseUrl, dataDir }: Config, findings: Finding[]): boolean {
  try {
    if (databaseUrl === undefined) refuseUnusableData(dataDir);
    return true;
  } catch (error) {
    findings.push({ check: 'data folder', ...asFinding(error) });
    return false;
  }
}

async function checkDatabase(config: Config, findings: Finding[]): Promise<void> {
  try {
    // Not migrated: a diagnosis changes nothing.
    const prepare = async (db: Database) => {
      // Unlike the pool, it does not wait for a database that is down.
      await (await db.connect('headwater doctor')).end();
      return NO_INSTANCE;
    };
    const store = await openStore({ ...config, poolSize: 4 }, 'command', createLog('silent'), prepare);
    try {
      for (const [check, run] of Object.entries(DATABASE_CHECKS)) {
        findings.push({ check, ...(await run(store.db, config).catch(asFinding)) });
      }
    } finally {
      await store.close();
    }
  } catch (error) {
    findings.push({ check: 'database', ...asFinding(error) });
  }
}

const asFinding = (error: unknown) => ({ status: 'error' as const, detail: describe(error) });
