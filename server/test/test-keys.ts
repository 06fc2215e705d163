import { MasterKeys } from '../src/shared/secrets/master-keys.ts';
import { Vault } from '../src/shared/secrets/vault.ts';

/** The master key of the databases of tests. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 9).toString('base64');

export const testKeys = (): MasterKeys => new MasterKeys({ secretKey: TEST_SECRET_KEY, secretKeyFile: '' });

export const testVault = (): Vault => new Vault(testKeys());
