import { createClient } from '@headwater/sdk';
import { useSyncExternalStore } from 'react';

/** Kept for the window alone: whoever closes it has to paste the token again. */
const STORED = 'headwater-token';

let token = sessionStorage.getItem(STORED);
const listeners = new Set<() => void>();

function setToken(next: string | null): void {
  token = next;
  if (next === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, next);
  for (const listener of listeners) listener();
}

/** The one client of the dashboard. */
export let headwater = clientWith(token);

function clientWith(secret: string | null) {
  return createClient({ token: secret ?? undefined });
}

/** Signs in with a secret API token. @throws where the service refuses it */
export async function signIn(secret: string): Promise<void> {
  const client = clientWith(secret);
  await client.getLimits();
  headwater = client;
  setToken(secret);
}

export function endSession(): void {
  if (token === null) return;
  headwater = clientWith(null);
  setToken(null);
}

export function useIsSignedIn(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => token !== null,
  );
}
