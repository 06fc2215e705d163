import { randomFillSync } from 'node:crypto';
import { MULTIPART, multipart } from '../../src/files/test-support.ts';
import { noiseImage, paddedVideo } from '../../src/media/test-media.ts';
import { column, type Keys, RepeatingClients, storedOnce, type Workload } from './workload.ts';

const SMALL = 100;
/** Stored in parts in S3. */
const LARGE = 6 * 1_048_576;

/** New and repeated content, small and large, repeated by an Idempotency-Key. */
export async function uploadsWorkload({ token }: Keys): Promise<Workload> {
  const image = await noiseImage(60, 40).png().toBuffer();
  const contentOf = (n: number) => (n % 3 === 0 ? image : paddedVideo(n % 10 === 1 ? LARGE : SMALL, randomFillSync));
  const names = new Set<string>();
  const clients = new RepeatingClients(
    (_client, n) => {
      const name = `upload-${n}`;
      const body = multipart([{ filename: name, body: contentOf(n) }]);
      const options = { token, body, headers: { ...MULTIPART, 'idempotency-key': name } };
      return { name, request: 'POST /v1/files/upload', options };
    },
    (name) => names.add(name),
  );
  return {
    name: 'uploads',
    step: (service, client) => clients.step(service, client),
    check: async (db) => [
      storedOnce(
        'uploads',
        names,
        clients.unknown,
        await column(db, `select name from assets where name like 'upload-%'`),
      ),
    ],
  };
}
