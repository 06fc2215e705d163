import type { ServiceProcess } from '../../test/service-process.ts';
import { sendOk } from '../support.ts';
import { column, type Keys, RepeatingClients, storedOnce, type Workload } from './workload.ts';

/** New entries, repeated by an Idempotency-Key. */
export async function entriesWorkload(service: ServiceProcess, { token }: Keys): Promise<Workload> {
  const body = { name: 'Posts', fields: [{ id: 'title', label: 'Title', type: 'text' }] };
  const { id } = await sendOk(service, 'POST /v1/cms/collections', { token, body });
  const titles = new Set<string>();
  const clients = new RepeatingClients(
    (_client, n) => {
      const title = `entry-${n}`;
      const options = { token, body: { values: { title } }, headers: { 'idempotency-key': title } };
      return { name: title, request: `POST /v1/cms/collections/${id}/entries`, options };
    },
    (name) => titles.add(name),
  );
  return {
    name: 'entries',
    step: (at, client) => clients.step(at, client),
    check: async (db) => [
      storedOnce('entries', titles, clients.unknown, await column(db, `select values->>'title' from entries`)),
    ],
  };
}
