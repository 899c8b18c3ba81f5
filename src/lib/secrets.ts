import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { errorCode } from './errors.ts'

/** Secrets at rest: what the service must be able to show or send again, and nobody may read off the database. */

/** What a sealed value belongs to. A value that is moved to another row cannot be opened there. */
export type Belonging = readonly (string | number)[]

export interface SecretBox {
  /** Encrypts with AES-256-GCM; every call gives other bytes. */
  seal(text: string, belongs: Belonging): Buffer
  /** @throws SecretError when the bytes were sealed under neither key, for another owner, or were changed */
  open(sealed: Uint8Array, belongs: Belonging): string
  /** 32 bytes that only this key gives, always the same for the same owner. */
  derive(belongs: Belonging): Buffer
  /** The same under each key that counts: what `derive` gives, then what the former key gives while there is one. */
  derivations(belongs: Belonging): readonly [Buffer, ...Buffer[]]
  /** What everything begins with that is sealed now. */
  readonly mark: Buffer
  /** The box of the former key alone, while there is one. */
  readonly former: SecretBox | undefined
}

export class SecretError extends Error {
  override readonly name = 'SecretError'
}

// version (1) | key id (4) | nonce (12) | tag (16) | ciphertext
const version = 1
const key_id_bytes = 4
const nonce_bytes = 12
const tag_bytes = 16
const nonce_at = 1 + key_id_bytes
const tag_at = nonce_at + nonce_bytes
const text_at = tag_at + tag_bytes

const cipher = 'aes-256-gcm'

/**
 * Makes the box of a secret key: the text of `NUQTA_SECRET_KEY`, or of the file in the data directory. While the key is being
 * changed there is a former one as well: what it sealed and gave is still good, and nothing new is made under it.
 */
export function createSecretBox(secret_key: string, former_key?: string): SecretBox {
  const former = former_key === undefined || former_key === secret_key ? undefined : createSecretBox(former_key)
  const sealing = keyFor(secret_key, 'sealed values')
  const deriving = keyFor(secret_key, 'derived tokens')
  const key_id = createHash('sha256').update(sealing).digest().subarray(0, key_id_bytes)
  const mark = Buffer.concat([Buffer.of(version), key_id])
  const derive = (belongs: Belonging) => createHmac('sha256', deriving).update(JSON.stringify(belongs)).digest()
  return {
    mark,
    former,
    seal(text, belongs) {
      const nonce = randomBytes(nonce_bytes)
      const header = Buffer.concat([mark, nonce])
      const sealer = createCipheriv(cipher, sealing, nonce).setAAD(associated(header, belongs))
      const body = Buffer.concat([sealer.update(text, 'utf8'), sealer.final()])
      return Buffer.concat([header, sealer.getAuthTag(), body])
    },
    open(sealed, belongs) {
      const bytes = Buffer.from(sealed)
      if (bytes.length < text_at || bytes[0] !== version) throw new SecretError('a sealed value is not one of ours')
      if (former !== undefined && isSealedBy(former, bytes)) return former.open(bytes, belongs)
      if (!bytes.subarray(0, nonce_at).equals(mark))
        throw new SecretError('a stored secret was sealed under another key: set NUQTA_SECRET_KEY to what it was')
      const opener = createDecipheriv(cipher, sealing, bytes.subarray(nonce_at, tag_at))
        .setAAD(associated(bytes.subarray(0, tag_at), belongs))
        .setAuthTag(bytes.subarray(tag_at, text_at))
      try {
        return opener.update(bytes.subarray(text_at), undefined, 'utf8') + opener.final('utf8')
      } catch (error) {
        throw new SecretError('a sealed value was changed, or belongs elsewhere', { cause: error })
      }
    },
    derive,
    derivations: (belongs) => [derive(belongs), ...(former === undefined ? [] : [former.derive(belongs)])],
  }
}

/** Whether a value was sealed under the key of a box, by what it begins with. */
export function isSealedBy({ mark }: SecretBox, sealed: Uint8Array): boolean {
  return mark.equals(sealed.subarray(0, mark.length))
}

function keyFor(secret_key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret_key, 'nuqta', purpose, 32))
}

/** The header is covered too, so that neither version nor key id can be exchanged. */
function associated(header: Buffer, belongs: Belonging): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify(belongs))])
}

/**
 * Gives the secret key kept in a file, made at the first call. Processes that start at once agree on one key, and a crash
 * leaves either a whole key or none.
 */
export async function ensureSecretKey(path: string): Promise<string> {
  const kept = await readSecretKey(path)
  if (kept !== null) return kept
  const fresh = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
    await link(fresh, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(fresh, { force: true })
  }
  const made = await readSecretKey(path)
  if (made === null) throw new SecretError(`the secret key ${path} cannot be read`)
  return made
}

/** The secret key kept in a file; null where there is none. */
export async function readSecretKey(path: string): Promise<string | null> {
  try {
    const key = (await readFile(path, 'utf8')).trim()
    if (key.length < 32) throw new SecretError(`the secret key ${path} is too short: restore it from a backup`)
    return key
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
