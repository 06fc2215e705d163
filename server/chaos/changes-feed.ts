import type { PublicChange } from '../src/content/changes/contract.ts';
import { commandJson, newDataDir, type ServiceProcess, startService } from '../test/service-process.ts';
import { until } from '../test/until.ts';
import { defineProof, finding } from './proof.ts';
import { sendOk, startDatabase } from './support.ts';

const PUBLISHERS = 8;

/** A follower whose connection may be cut at any time, and who continues after the last change that it has read. */
interface Follower {
  seen: PublicChange[];
  cursor: string;
}

export const changesFeed = defineProof({
  title: 'Entries are published and unpublished while followers read the changes and the service is killed.',
  parameters: { changes: 10_000, followers: 50, kills: 20 },
  async run({ changes, followers: count, kills }, log) {
    const { url: DATABASE_URL } = await startDatabase();
    const env = { DATABASE_URL, DATA_DIR: newDataDir(), RATE_LIMIT: 'off' };
    const { token, apiKey } = await commandJson(['accounts', 'create', 'Feed'], { DATABASE_URL });
    let service = await startService(env);
    const ok = (request: string, body?: unknown) => sendOk(service, request, { token, body });
    const fields = [{ id: 'title', label: 'Title', type: 'text' }];
    const ids: string[] = [];
    for (let i = 0; i < 2; i++) {
      ids.push((await ok('POST /v1/cms/collections', { name: 'Posts', fields, publishing: true, public: true })).id);
    }
    const entries: { path: string; id: string }[] = [];
    for (let i = 0; i < PUBLISHERS * 4; i++) {
      const path = `/v1/cms/collections/${ids[i % ids.length]}/entries`;
      const { id } = await ok(`POST ${path}`, { values: { title: `Entry ${i}` } });
      entries.push({ path, id });
    }

    let acknowledged = 0;
    const publishers = Array.from({ length: PUBLISHERS }, async (_, publisher) => {
      const own = entries.filter((_entry, i) => i % PUBLISHERS === publisher);
      for (let n = 0; n < Math.ceil(changes / PUBLISHERS); n++) {
        const { path, id } = own[n % own.length] as (typeof own)[number];
        const action = Math.floor(n / own.length) % 2 === 0 ? 'publish' : 'unpublish';
        await untilDone(() => ok(`POST ${path}/${id}/${action}`, {}));
        acknowledged++;
      }
    });

    let isDone = false;
    const followers: Follower[] = Array.from({ length: count }, () => ({ seen: [], cursor: '0' }));
    const add = (follower: Follower, change: PublicChange) => {
      follower.seen.push(change);
      follower.cursor = change.cursor;
    };
    const poll = async (follower: Follower) => {
      const page = await sendOk(service, `GET /v1/content/changes?key=${apiKey}&since=${follower.cursor}`);
      for (const change of page.changes) add(follower, change);
      follower.cursor = page.cursor;
    };
    const following = followers.map(async (follower, i) => {
      while (!isDone) await (i % 2 === 0 ? poll(follower) : stream(service, apiKey, follower, add)).catch(() => {});
      await untilDone(() => poll(follower));
    });

    for (let i = 0; i < kills; i++) {
      await until(() => acknowledged >= ((i + 1) * changes) / (kills + 1));
      service.kill('SIGKILL');
      await service.ended;
      service = await startService(env);
    }
    await Promise.all(publishers);
    isDone = true;
    service.kill('SIGTERM');
    await service.ended;
    service = await startService(env);
    await Promise.all(following);

    const [first] = followers;
    const all = first?.seen ?? [];
    const isGapless = all.every(({ cursor }, i) => cursor === String(i + 1));
    const others = followers.filter(({ seen }) => JSON.stringify(seen) !== JSON.stringify(all)).length;
    // A request that was repeated after a kill may have published twice, but no entry is unpublished twice or before it is published.
    const wrong = entries.filter(({ id }) => {
      const types = all.filter(({ entryId }) => entryId === id).map(({ type }) => type);
      return types.some((type, i) => type === 'unpublish' && types[i - 1] !== 'publish');
    });
    log(`${all.length} changes of ${acknowledged} requests, read by ${count} followers during ${kills} kills`);
    return [
      finding('The cursors have no gap and no repeat', `${all.length} changes`, isGapless),
      finding('Every follower reads the same', `${others} of ${count} differ`, others === 0),
      finding('Every acknowledged change is read', `${all.length} of ${acknowledged}`, all.length >= acknowledged),
      finding('The changes of an entry are in order', `${wrong.length} of ${entries.length}`, wrong.length === 0),
    ];
  },
});

/** Repeats a request until it succeeds: while the service is away, connections fail. */
async function untilDone<T>(request: () => Promise<T>): Promise<T> {
  let done: { result: T } | undefined;
  await until(async () => {
    done = await request().then(
      (result) => ({ result }),
      () => undefined,
    );
    return done !== undefined;
  });
  return (done as unknown as { result: T }).result;
}

async function stream(
  { url }: ServiceProcess,
  apiKey: string,
  follower: Follower,
  add: (follower: Follower, change: PublicChange) => void,
): Promise<void> {
  const response = await fetch(`${url}/v1/content/changes?key=${apiKey}`, {
    headers: { accept: 'text/event-stream', 'last-event-id': follower.cursor },
  });
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, json] = /^data: (.*)$/m.exec(event) ?? [];
      if (json !== undefined) add(follower, JSON.parse(json));
    }
  }
}
