import { commandJson, type ServiceProcess, startService, usedDataDir } from '../../test/service-process.ts';
import { sendOk } from '../support.ts';
import { conversionsWorkload } from './conversions.ts';
import { entriesWorkload } from './entries.ts';
import { trackingWorkload } from './tracking.ts';
import { tusWorkload } from './tus.ts';
import { uploadsWorkload } from './uploads.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';
import type { Keys, Workload } from './workload.ts';

/** A service with its own PostgreSQL, the workloads that write to it, and the receiver of its webhooks. */
export interface Installation {
  env: Record<string, string> & { DATA_DIR: string };
  service: ServiceProcess;
  keys: Keys;
  workloads: (Workload & { clients: number })[];
  /** The ids of acknowledged events. */
  eventIds: ReadonlySet<string>;
  receiver: WebhookReceiver;
}

export async function install(settings: Record<string, string>, dataDir?: string): Promise<Installation> {
  const env = { ...settings, DATA_DIR: dataDir ?? (await usedDataDir()), WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' };
  const keys: Keys = await commandJson(['accounts', 'create', 'Chaos'], env);
  const { token, apiKey } = keys;
  const service = await startService(env);
  const receiver = await startWebhookReceiver();
  await sendOk(service, 'POST /v1/visits', { body: { api_key: apiKey, url: 'https://shop.example/?gclid=ad' } });
  await sendOk(service, 'POST /v1/webhooks', { token, body: { url: receiver.url, events: ['event.recorded'] } });
  const tracking = trackingWorkload(keys);
  const workloads = [
    { ...tracking, clients: 4 },
    { ...conversionsWorkload(keys), clients: 4 },
    { ...(await entriesWorkload(service, keys)), clients: 2 },
    { ...(await uploadsWorkload(keys)), clients: 2 },
    { ...tusWorkload(keys), clients: 2 },
  ];
  return { env, service, keys, workloads, eventIds: tracking.eventIds, receiver };
}
