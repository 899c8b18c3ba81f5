import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** A passkey in software. It answers like a phone, with P-256 and no attestation. */
export interface Authenticator {
  /** Answers `navigator.credentials.create()`. */
  register(options: Asked): object
  /** Answers `navigator.credentials.get()`. */
  signIn(options: Asked): object
}

interface Asked {
  readonly challenge: string
}

export interface AuthenticatorSettings {
  readonly origin: string
  readonly rp_id: string
  /** Whether the device has checked its user; false for a key that was only touched. */
  readonly verifies?: boolean
  /** How much each use adds to the counter; 0 for a key without a counter. */
  readonly counts?: number
}

const base64url = (bytes: Buffer) => bytes.toString('base64url')
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

export function createAuthenticator({
  origin,
  rp_id,
  verifies = true,
  counts = 0,
}: AuthenticatorSettings): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (attested: Buffer) => {
    counter += counts
    const flags = 0x01 | (verifies ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rp_id), Buffer.of(flags), count, attested])
  }
  const answer = (response: object) => {
    const named = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }
    return { ...named, response }
  }
  return {
    register({ challenge }) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = authenticatorData(Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]))
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        ...[
          cborText('fmt'),
          cborText('none'),
          cborText('attStmt'),
          Buffer.of(0xa0),
          cborText('authData'),
          cborBytes(data),
        ],
      ])
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', challenge)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      })
    },
    signIn({ challenge }) {
      const client = clientData('webauthn.get', challenge)
      const data = authenticatorData(Buffer.alloc(0))
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      })
    },
  }
}

/** An ES256 key as COSE writes it. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const part = (label: number, value: string) =>
    Buffer.concat([Buffer.of(label), cborBytes(Buffer.from(value, 'base64url'))])
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  return Buffer.concat([Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01), part(0x21, x), part(0x22, y)])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 | text.length), Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  const head =
    bytes.length < 256 ? Buffer.of(0x58, bytes.length) : Buffer.of(0x59, bytes.length >> 8, bytes.length & 0xff)
  return Buffer.concat([head, bytes])
}
