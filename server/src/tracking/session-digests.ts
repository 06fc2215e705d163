import { clickIdDigest, sessionDigest, shortHashOf } from './identifier.ts';

type ClickIds = Readonly<Record<string, string | undefined>>;

/** The digests of everything that names a session: hash, number, short hash and click ids. */
export function digestsOf(hash: string, number: number, clickIds: ClickIds): string[] {
  return [
    sessionDigest('hash', hash),
    sessionDigest('number', String(number)),
    sessionDigest('short', shortHashOf(hash)),
    ...clickDigestsOf(clickIds),
  ];
}

export function clickDigestsOf(clickIds: ClickIds): string[] {
  return Object.entries(clickIds).map(([name, value]) => clickIdDigest(name, value ?? ''));
}
