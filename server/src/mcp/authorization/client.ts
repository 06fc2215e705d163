import { createHmac } from 'node:crypto';
import { badRequest } from '../../shared/errors.ts';
import { checkUrl } from '../../shared/outbound/check-url.ts';
import type { MayConnect } from '../../shared/outbound/connect-policy.ts';
import type { Sender } from '../../shared/outbound/sender.ts';
import { isSame } from './code.ts';

/** A program that asks for a token. */
export interface Client {
  name: string;
  redirectUris: string[];
  /** Where it describes itself; null: it registered itself under any name. */
  host: string | null;
}

/** What a client says of itself, when it registers or in the document that its ID names. Other members are ignored. */
interface Metadata {
  client_id?: unknown;
  client_name?: unknown;
  redirect_uris?: unknown;
}

const MAX_URIS = 10;
const MAX_URI_LENGTH = 500;
const MAX_NAME_LENGTH = 100;
const PREFIX = 'hw_agent_';

/** Schemes of desktop programs without a domain of their own in them. */
const SCHEMES = /^(?:claude|cursor|vscode|vscode-insiders|windsurf|zed):$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a browser may be sent there: https, this machine, or a program by a scheme that nobody else has (RFC 8252). */
function isRedirectUri(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > MAX_URI_LENGTH || text.includes('#')) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname);
  return SCHEMES.test(url.protocol) || /^[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:$/.test(url.protocol);
}

/** The port of a redirection to this machine is chosen when the client starts (RFC 8252, section 7.3). */
export function isRegistered({ redirectUris }: Client, sent: string): boolean {
  if (!isRedirectUri(sent)) return false;
  const withoutPort = (text: string) => {
    const url = new URL(text);
    if (url.protocol !== 'http:') return text;
    url.port = '';
    return url.href;
  };
  return redirectUris.some((each) => each === sent || withoutPort(each) === withoutPort(sent));
}

const nameOf = (name: unknown, other: string) =>
  typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, MAX_NAME_LENGTH) : other;

function redirectUrisOf({ redirect_uris: uris }: Metadata): string[] | undefined {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_URIS) return undefined;
  return uris.every(isRedirectUri) ? uris : undefined;
}

/** IDs of clients that register contain what these say of themselves, signed: nothing is stored for whoever asks. */
export class Clients {
  readonly #secret: Buffer;
  readonly #sender: Sender;
  readonly #mayConnect: MayConnect;

  constructor(secret: Buffer, sender: Sender, mayConnect: MayConnect) {
    this.#secret = secret;
    this.#sender = sender;
    this.#mayConnect = mayConnect;
  }

  /** @returns undefined: without redirection URIs that are allowed */
  register(sent: Metadata): { clientId: string; client: Client } | undefined {
    const redirectUris = redirectUrisOf(sent);
    if (redirectUris === undefined) return undefined;
    const name = nameOf(sent.client_name, 'MCP client');
    const text = Buffer.from(JSON.stringify([name, redirectUris])).toString('base64url');
    return { clientId: `${PREFIX}${text}.${this.#sign(text)}`, client: { name, redirectUris, host: null } };
  }

  /** @throws ApiError 400 `client_unknown`, `client_unreachable` */
  async find(clientId: string): Promise<Client> {
    return clientId.startsWith('https://') ? this.#described(clientId) : this.#registered(clientId);
  }

  #registered(clientId: string): Client {
    const [text = '', signature = ''] = clientId.replace(PREFIX, '').split('.');
    if (!clientId.startsWith(PREFIX) || !isSame(signature, this.#sign(text)))
      throw unknownClient('It is not one that registered here.');
    const [name, redirectUris] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, string[]];
    return { name, redirectUris, host: null };
  }

  /** The document at the URL that is the ID of the client. */
  async #described(clientId: string): Promise<Client> {
    const url = URL.parse(clientId);
    const isDocument = url !== null && url.pathname !== '/' && url.hash === '' && url.href === clientId;
    if (!isDocument || checkUrl(clientId, this.#mayConnect).length > 0) {
      throw unknownClient('Its URL must be public and have a path.');
    }
    const { status, error, response } = await this.#sender.send(url, { accept: 'application/json' }, '', 'GET');
    if (status !== 200 || response === null) {
      throw badRequest('client_unreachable', `${url.host} did not describe the client: ${error ?? 'no document'}.`);
    }
    const metadata = parsed(response);
    const redirectUris = metadata && redirectUrisOf(metadata);
    if (metadata?.client_id !== clientId || !redirectUris) {
      throw unknownClient('Its document must have its URL as client_id, and redirect_uris.');
    }
    return { name: nameOf(metadata.client_name, url.host), redirectUris, host: url.host };
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#secret).update(`agent client\n${text}`).digest('base64url');
  }
}

function parsed(text: string): Metadata | undefined {
  try {
    const metadata: unknown = JSON.parse(text);
    return typeof metadata === 'object' && metadata !== null ? metadata : undefined;
  } catch {
    return undefined;
  }
}

const unknownClient = (why: string) => badRequest('client_unknown', `The client is unknown. ${why}`);
