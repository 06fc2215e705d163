import { commandJson, newDataDir, startService } from '../test/service-process.ts';
import { defineProof, finding } from './proof.ts';
import { sendOk, startDatabase } from './support.ts';

const PROCESSES = 2;
const COLLECTIONS = 2;

/** What one client saw. */
interface Seen {
  reads: number;
  /** Responses with entries of two releases. */
  mixed: number;
  /** Responses older than what the client had seen before, of any collection. */
  older: number;
  /** Responses that lacked entries. */
  incomplete: number;
}

export const releases = defineProof({
  title: 'Releases of entries in two collections are published while clients read what is published.',
  parameters: { rounds: 50, entries: 200, clients: 50 },
  async run({ rounds, entries, clients }, log) {
    const { url: DATABASE_URL } = await startDatabase();
    const services = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        startService({ DATABASE_URL, DATA_DIR: newDataDir(), RATE_LIMIT: 'off' }),
      ),
    );
    const { token, apiKey } = await commandJson(['accounts', 'create', 'Releases'], { DATABASE_URL });
    const [first] = services;
    if (!first) throw new Error('no service');
    const ok = (request: string, body?: unknown) => sendOk(first, request, { token, body });
    const perCollection = Math.ceil(entries / COLLECTIONS);
    const collectionIds: string[] = [];
    const items: { collectionId: string; entryId: string; version: null }[] = [];
    for (let i = 0; i < COLLECTIONS; i++) {
      const fields = [
        { id: 'round', label: 'Round', type: 'number' },
        { id: 'title', label: 'Title', type: 'text' },
      ];
      const { id } = await ok('POST /v1/cms/collections', { name: 'Posts', fields, publishing: true, public: true });
      collectionIds.push(id);
      for (let n = 0; n < perCollection; n++) {
        const values = { round: 0, title: `Entry ${n}` };
        const entry = await ok(`POST /v1/cms/collections/${id}/entries`, { values });
        items.push({ collectionId: id, entryId: entry.id, version: null });
      }
    }

    /** Publishes all drafts: every other time by the worker at a time, else by a request. */
    async function publish(round: number): Promise<void> {
      const write = ({ collectionId, entryId }: (typeof items)[number]) =>
        ok(`PATCH /v1/cms/collections/${collectionId}/entries/${entryId}`, { values: { round } });
      for (let i = 0; i < items.length; i += 50) await Promise.all(items.slice(i, i + 50).map(write));
      const isScheduled = round % 2 === 1;
      const create = (aheadMs: number): Promise<{ id: string }> => {
        const at = isScheduled ? new Date(Date.now() + aheadMs).toISOString() : null;
        return ok('POST /v1/cms/releases', { name: `Round ${round}`, at, items });
      };
      // On a busy machine the time may have passed when the request arrives.
      const release = await create(100).catch(() => create(2_000));
      if (!isScheduled) return void (await ok(`POST /v1/cms/releases/${release.id}/publish`));
      for (let status = 'scheduled'; status !== 'completed'; ) {
        ({ status } = await ok(`GET /v1/cms/releases/${release.id}`));
        if (status === 'failed') throw new Error('a release failed');
      }
    }
    await publish(0);

    let isDone = false;
    const read = async (client: number): Promise<Seen> => {
      const seen: Seen = { reads: 0, mixed: 0, older: 0, incomplete: 0 };
      let latest = 0;
      for (let n = client; !isDone; n++) {
        const service = services[n % services.length] as (typeof services)[number];
        const id = collectionIds[n % COLLECTIONS];
        const order = ['', '&sort=title:desc', '&sort=round:asc', '&q=entry', '&filter[round][gte]=0'][n % 5];
        const isPublic = client % 5 !== 0;
        const page = isPublic
          ? await sendOk(service, `GET /v1/content/${id}?key=${apiKey}&pageSize=100${order}`)
          : await sendOk(service, `GET /v1/cms/collections/${id}/entries?state=published&pageSize=100${order}`, {
              token,
            });
        const found = page.entries.map(({ values }: { values: { round: number } }) => values.round);
        const [oldest, newest] = [Math.min(...found), Math.max(...found)];
        seen.reads++;
        if (oldest !== newest) seen.mixed++;
        if (found.length !== Math.min(perCollection, 100)) seen.incomplete++;
        if (oldest < latest) seen.older++;
        latest = Math.max(latest, newest);
      }
      return seen;
    };
    const readers = Array.from({ length: clients }, (_, client) => read(client));
    const startedAt = performance.now();
    try {
      for (let round = 1; round <= rounds; round++) await publish(round);
    } finally {
      isDone = true;
    }
    const all = await Promise.all(readers);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const total = (name: keyof Seen) => all.reduce((sum, seen) => sum + seen[name], 0);
    log(`${rounds} releases of ${items.length} entries in ${seconds} s, ${total('reads')} reads`);
    const ofReads = (count: number) => `${count} of ${total('reads')} reads by ${clients} clients`;
    return [
      finding('no read has entries of two releases', ofReads(total('mixed')), total('mixed') === 0),
      finding('no read lacks entries', ofReads(total('incomplete')), total('incomplete') === 0),
      finding(
        'a release that is visible in one collection, in any process, is visible in the other',
        ofReads(total('older')),
        total('older') === 0 && total('reads') > rounds * clients,
      ),
    ];
  },
});
