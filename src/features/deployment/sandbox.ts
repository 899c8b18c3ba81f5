import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import type { Database } from '../../db/pool.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { historyIdentities } from '../../domain/sandbox.ts'
import { errorCode } from '../../lib/errors.ts'
import { shellWord } from '../../lib/escape.ts'
import { hashSecret } from '../../lib/ids.ts'
import { replaceOwnedFile } from '../../lib/owned-file.ts'
import { addSandboxCustomers } from '../customers/service.ts'
import { addDemoStore, addOtherStores, findDemoStore } from '../demo/stores.ts'
import { findMerchantWithKeys, findPrivateKeys } from '../merchants/key-queries.ts'
import { type KeyPair, replaceKeys } from '../merchants/keys.ts'
import { findNamesLike } from '../merchants/list-queries.ts'
import { ensureFirstProgram } from '../merchants/programs.ts'
import { addSandboxOwner } from '../staff/operators.ts'
import { lockDeployment } from './queries.ts'

export interface SandboxPlace {
  /** Path of `sandbox.env`. */
  readonly file: string
  readonly base_url: string
  /** Path of the certificate to trust; undefined if the operator has a certificate of their own. */
  readonly ca: string | undefined
  /** Only this data directory uses the database, so nobody else can have the demo merchant's keys. */
  readonly database_is_ours: boolean
  /** Whether a new sandbox has the first shop alone. */
  readonly empty: boolean
}

/** Who owns the demo merchants of a sandbox. */
const owner = { email: 'owner@demo.example', name: 'Demo Owner' }
/** Others may have been made before the first start. */
const most_owned = 20

/** The state of the keys in `sandbox.env`. `elsewhere`: only another data directory has the private key. */
type SandboxKeys = 'made' | 'kept' | 'stale' | 'replaced' | 'elsewhere'

/** A sandbox as it was found or made. */
export interface OpenedSandbox {
  readonly keys: SandboxKeys
  /** The name of the first shop, which has the keys: its owner may have changed it. */
  readonly shop: string
}

/**
 * Creates a sandbox's demo merchants, and writes `sandbox.env` with the first one's keys and the address of the service.
 * Keeps keys that the file has. Without the file the private key is lost: if the database is ours, the demo merchant gets
 * new keys; if it is shared, others may use the keys, so the file is written without the private key.
 */
export function bootstrapSandbox(db: Database, place: SandboxPlace, now: Date): Promise<OpenedSandbox> {
  return db.transaction(async (tx) => {
    // Processes that start at the same time run this one after the other; the second finds what the first wrote.
    await tx.one(lockDeployment())
    const program = await ensureFirstProgram(tx, { environment: 'sandbox', now })
    const { program_id } = program
    const demo = await findDemoStore(tx, program_id)
    if (demo === undefined) {
      const keys = await addDemoStore(tx, { program_id, now })
      if (!place.empty) {
        await addOtherStores(tx, { program_id, now })
        addSandboxCustomers(tx, program, now, historyIdentities)
      }
      await writeEnv(place, keys)
      return { keys: 'made', shop: keys.name }
    }
    const { merchant_id, name: shop } = demo
    return { keys: await keepKeys(tx, place, { program_id, merchant_id, shop, now }), shop }
  })
}

/**
 * Adds the owner of the demo merchants, once for a sandbox, and gives a link that signs in once; undefined where the owner
 * is there. Called when the service listens: the link of a start that failed would be shown to nobody.
 */
export function addDemoOwner(db: Database, base_url: string): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    // Links end by the machine's clock, wherever the sandbox's is.
    const parts = { public_url: base_url.replace(/\/api$/, ''), now: new Date() }
    const { program_id } = await ensureFirstProgram(tx, { environment: 'sandbox', now: parts.now })
    const found = await tx.run(findNamesLike(program_id, ''))
    const merchants = found.slice(0, most_owned).map(({ merchant_id }) => ({ program_id, merchant_id }))
    return (await addSandboxOwner(tx, parts, { ...owner, merchants }))?.link
  })
}

/** What becomes of the keys of a sandbox that was started before. */
async function keepKeys(
  tx: Transaction,
  place: SandboxPlace,
  { now, shop, ...merchant }: MerchantKey & { readonly now: Date; readonly shop: string },
): Promise<SandboxKeys> {
  const kept = await readSandboxEnv(place.file)
  if (kept?.NUQTA_PRIVATE_KEY !== undefined) {
    const [known] = await tx.run(findPrivateKeys([hashSecret(kept.NUQTA_PRIVATE_KEY)]))
    if (known !== undefined || place.database_is_ours) {
      await writeEnv(place, { public_key: kept.NUQTA_PUBLIC_KEY, private_key: kept.NUQTA_PRIVATE_KEY })
      return known === undefined ? 'stale' : 'kept'
    }
  }
  if (place.database_is_ours) {
    await writeEnv(place, await replaceKeys(tx, merchant, { environment: 'sandbox', now }))
    return 'replaced'
  }
  const key = await tx.one(findMerchantWithKeys(merchant.program_id, merchant.merchant_id))
  await writeEnv(place, { public_key: key?.public_key ?? '' }, shop)
  return 'elsewhere'
}

/** Runs before the commit, so that keys become valid only once they are in the file. */
function writeEnv(
  place: SandboxPlace,
  { public_key, private_key }: Pick<KeyPair, 'public_key'> & Partial<KeyPair>,
  keys_of?: string,
): Promise<void> {
  const env = {
    NUQTA_BASE_URL: place.base_url,
    NUQTA_PUBLIC_KEY: public_key,
    ...(private_key === undefined ? {} : { NUQTA_PRIVATE_KEY: private_key }),
    ...(place.ca === undefined ? {} : { NUQTA_CA: place.ca }),
  }
  return writeSandboxEnv(place.file, env, keys_of)
}

/** The shell variables that a client of the sandbox needs. */
export interface SandboxEnv {
  readonly NUQTA_BASE_URL: string
  readonly NUQTA_PUBLIC_KEY: string
  /** Absent if another data directory made the keys: a private key is shown only once. */
  readonly NUQTA_PRIVATE_KEY?: string
  /** Path of the certificate to trust; absent if the operator has a certificate of their own. */
  readonly NUQTA_CA?: string
}

/** Reads the file; null if it is missing or has no key. */
async function readSandboxEnv(path: string): Promise<SandboxEnv | null> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  const { NUQTA_BASE_URL = '', NUQTA_PUBLIC_KEY, NUQTA_PRIVATE_KEY, NUQTA_CA } = parseEnv(text)
  if (!NUQTA_PUBLIC_KEY) return null
  const ca = NUQTA_CA === undefined ? {} : { NUQTA_CA }
  return { NUQTA_BASE_URL, NUQTA_PUBLIC_KEY, ...(NUQTA_PRIVATE_KEY ? { NUQTA_PRIVATE_KEY } : {}), ...ca }
}

/** Where a sandbox with this file is served, or was last, without a trailing slash; undefined if the file is missing. */
export async function readSandboxUrl(path: string): Promise<string | undefined> {
  return (await readSandboxEnv(path))?.NUQTA_BASE_URL.replace(/\/api$/, '')
}

/** Replaces the keys in the file. False if it does not contain `public_key`. */
export async function replaceSandboxKeys(
  path: string,
  public_key: string,
  pair: { readonly public_key: string; readonly private_key: string },
): Promise<boolean> {
  const env = await readSandboxEnv(path)
  if (env?.NUQTA_PUBLIC_KEY !== public_key) return false
  await writeSandboxEnv(path, { ...env, NUQTA_PUBLIC_KEY: pair.public_key, NUQTA_PRIVATE_KEY: pair.private_key })
  return true
}

/** The command that makes new keys of a shop. */
export function regenerating(shop: string): string {
  return `nuqta keys regenerate ${shellWord(shop)}`
}

const keyElsewhere = (shop: string): string[] => [
  '# NUQTA_PRIVATE_KEY is in the sandbox.env of the data directory where it was made: copy its line to this file, or make new',
  `# keys for everybody: ${regenerating(shop)}`,
]

/** Writes the file atomically, readable only by its owner. `keys_of`: the shop whose private key it does not have. */
async function writeSandboxEnv(path: string, env: SandboxEnv, keys_of?: string): Promise<void> {
  const names = Object.keys(env)
  const lines = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`)
  const missing = keys_of === undefined ? [] : keyElsewhere(keys_of)
  const head = [`# For clients of this sandbox: . ${shellWord(path)}`, ...missing]
  await replaceOwnedFile(path, `${[...head, ...lines, `export ${names.join(' ')}`].join('\n')}\n`)
}
