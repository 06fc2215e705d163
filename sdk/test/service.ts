import { type Client, type ClientOptions, createClient } from '@headwater/sdk';
import { type Account, type TestService, testService } from '../../server/test/harness.ts';

export interface Listening extends TestService {
  url: string;
  /** A client of an account's. */
  clientOf(account: Account, options?: ClientOptions): Client;
}

/** The whole service on a socket. */
export async function listeningService(env: Record<string, string> = {}): Promise<Listening> {
  const service = await testService(env);
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  return {
    ...service,
    url,
    clientOf: ({ token }, options = {}) => createClient({ baseUrl: url, token, ...options }),
  };
}
