import { setTimeout as sleep } from 'node:timers/promises';
import { commandJson, newDataDir, type ServiceProcess, startService } from '../test/service-process.ts';
import type { LedgerService } from './ledger.ts';

/** The service as a process, with an empty account. */
export async function startLedgerService(): Promise<LedgerService> {
  const env = { DATA_DIR: newDataDir(), LOG_LEVEL: 'error' };
  const { token } = await commandJson(['accounts', 'create', 'Ledger'], env);
  let service: ServiceProcess = await startService(env);
  return {
    token,
    async call(request, body) {
      const [method = 'GET', path = ''] = request.split(' ');
      const send = () =>
        fetch(service.url + path, {
          method,
          headers: { 'content-type': 'application/json', 'x-api-key': `Bearer ${token}` },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(120_000),
        });
      let response = await send();
      // A busy machine refuses what has waited for too long, and has done nothing.
      for (; response.status === 429; response = await send()) await sleep(1_000);
      if (response.status !== 200) throw new Error(`${request}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    async kill() {
      service.kill('SIGKILL');
      await service.ended;
      service = await startService(env);
    },
  };
}
