import { SecretBox } from '../../shared/secret-box.ts';

/** What the visitor's browser sent along with a visit. */
interface SessionClient {
  address: string;
  userAgent: string;
}

const MAX_USER_AGENT = 512;

/** IP addresses and user agents, encrypted for the account that stores them. */
export class SessionClients {
  readonly #box: SecretBox;

  constructor(instanceSecret: Buffer) {
    this.#box = new SecretBox(instanceSecret, 'session-clients');
  }

  seal(accountUuid: string, { address, userAgent }: SessionClient): Buffer {
    const client = JSON.stringify([address, userAgent.slice(0, MAX_USER_AGENT)]);
    return this.#box.seal(Buffer.from(client), accountUuid);
  }

  open(accountUuid: string, sealed: Buffer): SessionClient {
    const [address = '', userAgent = ''] = JSON.parse(this.#box.open(sealed, accountUuid).toString()) as string[];
    return { address, userAgent };
  }
}
