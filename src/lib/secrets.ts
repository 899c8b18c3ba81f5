import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { link, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError, errorCode, messageOf } from './errors.ts'
import { writeOwnedFile } from './owned-file.ts'
import { syncFolder } from './part-file.ts'

/** The owner of a sealed value. A value moved to another row cannot be opened there. */
export type Belonging = readonly (string | number)[]

/** Encrypts secrets that the service must show or send again, so that nobody can read them from the database. */
export interface SecretBox {
  /** Encrypts with AES-256-GCM; every call gives other bytes. */
  seal(text: string, owner: Belonging): Buffer
  /** @throws SecretError when the bytes were sealed under another key or for another owner, or were changed */
  open(sealed: Uint8Array, owner: Belonging): string
  /** 32 bytes that only this key can compute, always the same for the same owner. */
  derive(owner: Belonging): Buffer
  /** The result of `derive`, then its result under the former key while there is one. */
  derivations(owner: Belonging): readonly [Buffer, ...Buffer[]]
  /** The first bytes of everything that this key seals. */
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
 * Makes the box of a secret key: the text of `NUQTA_SECRET_KEY`, or of the file in the data directory. While the key is
 * changed, `former_key` still opens what it sealed; nothing new is sealed under it.
 */
export function createSecretBox(secret_key: string, former_key?: string): SecretBox {
  const former = former_key === undefined || former_key === secret_key ? undefined : createSecretBox(former_key)
  const sealing = keyFor(secret_key, 'sealed values')
  const deriving = keyFor(secret_key, 'derived tokens')
  const key_id = createHash('sha256').update(sealing).digest().subarray(0, key_id_bytes)
  const mark = Buffer.concat([Buffer.of(version), key_id])
  const derive = (owner: Belonging) => createHmac('sha256', deriving).update(JSON.stringify(owner)).digest()
  return {
    mark,
    former,
    seal(text, owner) {
      const nonce = randomBytes(nonce_bytes)
      const header = Buffer.concat([mark, nonce])
      const sealer = createCipheriv(cipher, sealing, nonce).setAAD(associated(header, owner))
      const body = Buffer.concat([sealer.update(text, 'utf8'), sealer.final()])
      return Buffer.concat([header, sealer.getAuthTag(), body])
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed)
      if (bytes.length < text_at || bytes[0] !== version) throw new SecretError('a sealed value is not one of ours')
      if (former !== undefined && isSealedBy(former, bytes)) return former.open(bytes, owner)
      if (!bytes.subarray(0, nonce_at).equals(mark))
        throw new SecretError('a stored secret was sealed under another key: set NUQTA_SECRET_KEY to what it was')
      const opener = createDecipheriv(cipher, sealing, bytes.subarray(nonce_at, tag_at))
        .setAAD(associated(bytes.subarray(0, tag_at), owner))
        .setAuthTag(bytes.subarray(tag_at, text_at))
      try {
        return opener.update(bytes.subarray(text_at), undefined, 'utf8') + opener.final('utf8')
      } catch (error) {
        throw new SecretError('a sealed value was changed, or belongs elsewhere', { cause: error })
      }
    },
    derive,
    derivations: (owner) => [derive(owner), ...(former === undefined ? [] : [former.derive(owner)])],
  }
}

/** Whether a value was sealed under the key of a box, by its first bytes. */
export function isSealedBy({ mark }: SecretBox, sealed: Uint8Array): boolean {
  return mark.equals(sealed.subarray(0, mark.length))
}

/** Compares what was sent with a secret, in constant time. A value that is no text is never the same. */
export function isSameSecret(given: unknown, secret: string): boolean {
  if (typeof given !== 'string') return false
  // Hashes have equal lengths, so the comparison does not reveal the length either.
  const [left, right] = [given, secret].map((text) => createHmac('sha256', 'comparison').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

function keyFor(secret_key: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret_key, 'nuqta', purpose, 32))
}

/** Authenticates the header too, so that neither version nor key id can be replaced. */
function associated(header: Buffer, owner: Belonging): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify(owner))])
}

/**
 * Reads the secret key from a file, creating it when missing. Processes that start at once agree on one key, and a
 * crash leaves a whole key or none. The key is on disk before anything is sealed under it.
 */
export async function ensureSecretKey(path: string): Promise<string> {
  const kept = await readSecretKey(path)
  if (kept !== null) return kept
  const fresh = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeOwnedFile(fresh, `${randomBytes(32).toString('hex')}\n`)
    await link(fresh, path).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
    await syncFolder(dirname(path))
  } finally {
    await rm(fresh, { force: true })
  }
  const made = await readSecretKey(path)
  if (made === null) throw new SecretError(`the secret key ${path} cannot be read`)
  return made
}

/**
 * Reads the secret key from a file; null when there is no file.
 * @throws CliError if it is too short, or cannot be read
 */
export async function readSecretKey(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw new CliError(`The secret key ${path} cannot be read: ${messageOf(error)}.`, { cause: error })
  })
  const key = text?.trim() ?? null
  if (key !== null && key.length < 32)
    throw new CliError(`The secret key ${path} is too short: put it back from your copy of it.`)
  return key
}
