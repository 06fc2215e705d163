import {
  type AccountRow,
  type Area,
  createKeyFor,
  findAccount,
  findPublishableKey,
  insertAccount,
  lockAccount,
  type Role,
  roleInsufficient,
  type SignedIn,
  updateAccount,
} from '../../accounts/index.ts';
import { type Author, audit } from '../../shared/audit.ts';
import { readCurrency } from '../../shared/currency.ts';
import type { Deps } from '../../shared/deps.ts';
import { type Fault, notFound, refuse } from '../../shared/errors.ts';
import { newUuid, publicId } from '../../shared/ids.ts';
import type { ControlTx } from '../../shared/postgres/database.ts';
import { isoTime, isTimeZone } from '../../shared/time.ts';
import type { Account, AccountChange, NewAccount } from '../contract.ts';
import { deleteLinks } from '../one-time-links.ts';
import { lockUser } from '../queries.ts';
import { readSessionState } from '../sign-in/serialize.ts';
import { insertMember, ownsAnyAccount } from './queries.ts';

async function serializeAccount(tx: ControlTx, { id, created_at, ...row }: AccountRow): Promise<Account> {
  const [key] = await findPublishableKey(tx, { account_id: id });
  return {
    id: publicId('acc', id),
    ...settingsOf(row),
    publishableKey: key?.publishable_key ?? null,
    createdAt: isoTime(created_at),
  };
}

const settingsOf = ({ name, time_zone, currency, exchange_rates }: Omit<AccountRow, 'id' | 'created_at'>) => ({
  name,
  timeZone: time_zone ?? 'UTC',
  currency,
  exchangeRates: exchange_rates,
});

export async function readAccount({ control }: Deps, accountId: string): Promise<Account> {
  const [row] = await findAccount(control, { id: accountId });
  if (!row) throw notFound('account');
  return serializeAccount(control, row);
}

/**
 * Changes what the body contains.
 * @param schemaFaults faults that the schema found
 * @throws ApiError 400 with every fault of the request
 */
export function changeAccount(
  { control, clock }: Deps,
  author: Author,
  body: unknown,
  schemaFaults: readonly Fault[],
): Promise<Account> {
  const faults = [...schemaFaults];
  const change = readChange(body, faults);
  refuse(faults);
  return control.transaction(async (tx) => {
    const [before] = await lockAccount(tx, { id: author.accountId });
    if (!before) throw notFound('account');
    const next = { ...before, ...change };
    const [row] = await updateAccount(tx, { ...next, exchange_rates: JSON.stringify(next.exchange_rates) });
    if (!row) throw notFound('account');
    const subject = ['account', publicId('acc', row.id)] as const;
    const states = { before: settingsOf(before), after: settingsOf(row) };
    await audit(tx, author, { action: 'account.changed', subject, ...states }, clock());
    return serializeAccount(tx, row);
  });
}

/** Checks what the schema cannot, as far as the members have the right type. */
function readChange(body: unknown, faults: Fault[]): Partial<AccountRow> {
  const { name, timeZone, currency, exchangeRates } = (body ?? {}) as AccountChange;
  const fault = (pointer: string, code: string, detail: string) => faults.push({ pointer, code, detail });
  if (typeof timeZone === 'string' && !isTimeZone(timeZone)) {
    fault('/timeZone', 'time_zone_unknown', 'The time zone is unknown. Use an IANA name, such as Europe/Berlin.');
  }
  if (typeof currency === 'string' && readCurrency(currency) === undefined) {
    fault('/currency', 'currency_invalid', 'The currency is unknown. Use an ISO 4217 code, such as EUR.');
  }
  const rates: Record<string, string> = {};
  for (const [sent, rate] of Object.entries(exchangeRates ?? {})) {
    const pointer = `/exchangeRates/${sent.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const code = readCurrency(sent);
    if (code === undefined) fault(pointer, 'currency_invalid', 'The currency is unknown. Use an ISO 4217 code.');
    else if (!isRate(rate)) {
      fault(pointer, 'exchange_rate_invalid', 'An exchange rate must be a decimal number above 0, such as "0.92".');
    } else rates[code] = rate;
  }
  return {
    ...(typeof name === 'string' && { name: name.trim() }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(currency !== undefined && { currency: readCurrency(currency) ?? null }),
    ...(exchangeRates !== undefined && { exchange_rates: rates }),
  };
}

const isRate = (rate: unknown) =>
  typeof rate === 'string' && /^\d{1,12}(\.\d{1,12})?$/.test(rate) && /[1-9]/.test(rate);

/** The time zone and currency of a new account, from its first user's browser: unknown values are left out. */
export const defaultsOf = ({ timeZone, currency }: Pick<NewAccount, 'timeZone' | 'currency'>) => ({
  time_zone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : null,
  currency: readCurrency(currency) ?? null,
});

/** Creates another account, owned by a user who already owns one. @throws ApiError 400 `role_insufficient` */
export function addAccount({ control, clock, config }: Deps, signedIn: SignedIn, body: NewAccount, address: string) {
  const { userId } = signedIn;
  const now = clock();
  const accountId = newUuid(now);
  const name = body.name.trim();
  return control.transaction(async (tx) => {
    const [row] = await ownsAnyAccount(tx, { user_id: userId });
    if (!row?.owns) throw roleInsufficient('owner');
    await insertAccount(tx, { id: accountId, name, ...defaultsOf(body), cell: null, created_at: new Date(now) });
    await joinAccount(tx, accountId, userId, { role: 'owner', role_id: null, area: null }, now);
    const subject = ['account', publicId('acc', accountId)] as const;
    const author = { accountId, type: 'user', id: userId, address } as const;
    await audit(tx, author, { action: 'account.created', subject, after: { name } }, now);
    await createWebsiteKey(tx, author, now);
    // Here, so that nothing can fail between the new account and its response: a retry would create a second one.
    return readSessionState({ control: tx, config }, signedIn);
  });
}

/** The key for the first pages of a new account, which the installation shows. */
export const createWebsiteKey = (tx: ControlTx, author: Author, now: number) =>
  createKeyFor(tx, author, { type: 'publishable', name: 'Website' }, now);

/** Makes a user a member. Returns false if they already are. Deletes the user's reset links, which would do more than before. */
export async function joinAccount(
  tx: ControlTx,
  account_id: string,
  user_id: string,
  { role, role_id, area }: { role: Role; role_id: string | null; area: Area | null },
  now: number,
) {
  await lockUser(tx, { user_id });
  await deleteLinks(tx, { type: 'reset', user_id });
  const [member] = await insertMember(tx, { account_id, user_id, role, role_id, area, now: new Date(now) });
  return member !== undefined;
}
