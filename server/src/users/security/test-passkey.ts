import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** An authenticator of one passkey (ES256, no attestation), for tests. */
export class SoftwarePasskey {
  readonly #origin: string;
  readonly #id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The response to `navigator.credentials.create`. */
  create({ challenge }: { challenge: string }) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const [px, py] = [x, y].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
    // COSE key: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    const key = Buffer.concat([hex('a5010203262001215820'), px, hex('225820'), py]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    // Flags: present, verified, with a credential.
    const data = Buffer.concat([this.#authenticatorData(0x45), Buffer.alloc(16), length, this.#id, key]);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([hex('a363666d74646e6f6e656761747453746d74a068617574684461746159'), size, data]);
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', challenge),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The response to `navigator.credentials.get`. */
  get({ challenge }: { challenge: string }) {
    this.#counter++;
    const data = this.#authenticatorData(0x05);
    const clientDataJSON = this.#clientData('webauthn.get', challenge);
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
    const signature = sign('sha256', Buffer.concat([data, hash]), this.#keys.privateKey);
    return this.#credential({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #authenticatorData(flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const site = createHash('sha256').update(new URL(this.#origin).hostname).digest();
    return Buffer.concat([site, Buffer.from([flags]), counter]);
  }

  #clientData(type: string, challenge: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false })).toString(
      'base64url',
    );
  }

  #credential(response: object) {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }
}

const hex = (text: string) => Buffer.from(text, 'hex');
