/** A service with an account and two collections, started as users start it, whose webhooks may be sent to this machine. */
import { testDatabaseUrl } from '../../server/test/harness.ts';
import { commandJson, startService } from '../../server/test/service-process.ts';

export interface Service {
  url: string;
  token: string;
  /** @throws if the response is not 200 */
  // biome-ignore lint/suspicious/noExplicitAny: a check looks into responses of every shape
  call(request: string, body?: unknown): Promise<any>;
  stop(): Promise<void>;
}

export async function startHeadwater(): Promise<Service> {
  const env = { DATABASE_URL: await testDatabaseUrl(), WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1' };
  const { token } = await commandJson(['accounts', 'create', 'Shop'], env);
  const service = await startService(env, 'npm');
  return {
    url: service.url,
    token,
    async call(request, body) {
      const [method = '', path = ''] = request.split(' ');
      const response = await fetch(service.url + path, {
        method,
        headers: { 'x-api-key': `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      if (response.status !== 200) throw new Error(`${request}: ${JSON.stringify(answer)}`);
      return answer;
    },
    async stop() {
      service.kill('SIGTERM');
      await service.ended;
    },
  };
}

/** A collection with publishing and a field of each way to write one. */
export const ARTICLES = {
  name: 'Articles',
  publishing: true,
  fields: [
    { id: 'title', label: 'Title', type: 'text', required: true },
    { id: 'price', label: 'Price', type: 'number' },
    { id: 'body', label: 'Body', type: 'text', format: 'richtext' },
    { id: 'tags', label: 'Tags', type: 'text', repeated: true },
    { id: 'seo', label: 'SEO', type: 'group', fields: [{ id: 'title', label: 'Title', type: 'text' }] },
  ],
};
