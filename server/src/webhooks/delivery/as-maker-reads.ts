import { type RoleAccess, readsEverything } from '../../accounts/index.ts';
import { entryAsRead, uncachedView } from '../../content/index.ts';
import type { Deps } from '../../shared/deps.ts';
import { parseExactly } from '../../shared/json.ts';
import type { Tx } from '../../shared/postgres/database.ts';
import { accessOfAuthor } from '../../users/index.ts';
import type { EndpointRow } from '../endpoints/queries.ts';
import type { Payload } from '../topics/payloads.ts';
import { TEST_TOPIC } from '../topics/topic.ts';

/** Decides what webhooks receive whose makers have a role of the account: what these may read now. */
export class MakersView {
  readonly #deps: Pick<Deps, 'control'>;
  readonly #tx: Tx;
  readonly #found = new Map<string, ReturnType<typeof accessOfAuthor>>();

  constructor(deps: Pick<Deps, 'control'>, tx: Tx) {
    this.#deps = deps;
    this.#tx = tx;
  }

  /** The payload as the maker may read it; undefined if there is nothing to read. */
  async read<Message extends Pick<Payload, 'type' | 'data'>>(
    { account_id, maker_type, maker_id, role_id }: EndpointRow,
    payload: Message,
  ): Promise<Message | undefined> {
    const name = `${account_id} ${maker_type} ${maker_id}`;
    const finding =
      this.#found.get(name) ?? accessOfAuthor(this.#deps.control, account_id, { type: maker_type, id: maker_id });
    this.#found.set(name, finding);
    const found = await finding;
    if (!found) return undefined;
    const { access } = found;
    // Who made it may have another role now, and so another webhook would have to be made.
    if (!access || access.roleId !== role_id || access.features.webhooks !== 'write') return undefined;
    if (!payload.type.startsWith('entry.')) return mayRead(access, payload.type) ? payload : undefined;
    const state = payload.type === 'entry.published' ? 'published' : 'draft';
    const data = await entryAsRead(this.#tx, uncachedView(access), account_id, payload.data as never, state);
    return data && { ...payload, data };
  }
}

/** A stored message as the maker of its endpoint may read it now, for whoever sends or shows it later. */
export async function storedAsRead(
  deps: Pick<Deps, 'control'>,
  tx: Tx,
  endpoint: EndpointRow | undefined,
  body: string,
): Promise<string | undefined> {
  if (!endpoint || endpoint.role_id === null) return body;
  const message = parseExactly(body) as Pick<Payload, 'type' | 'data'>;
  if (message.type === TEST_TOPIC) return body;
  const read = await new MakersView(deps, tx).read(endpoint, message);
  return read && JSON.stringify(read);
}

function mayRead(access: RoleAccess, topic: string): boolean {
  const has = (feature: 'analytics' | 'conversions' | 'destinations') => access.features[feature] !== 'none';
  switch (topic.split('.')[0]) {
    case 'event':
    case 'lead':
      return has('analytics');
    case 'conversion':
      return has('conversions');
    case 'destination':
      return has('destinations');
    case 'release':
      return readsEverything(access);
    // Jobs of others, with their results.
    default:
      return false;
  }
}
