import { timingSafeEqual } from 'node:crypto'
import { known_for_s } from '../domain/otp.ts'
import type { Belonging, SecretBox } from './secrets.ts'

/**
 * In a known browser a phone was proven within thirty days. It may ask for codes more often; it opens and shows nothing
 * else (docs/spec/customers.md#known-browser). The browser keeps the proofs: for each phone the time it was proven, and an
 * HMAC of it under the secret key, bound to the browser's name. The service stores nothing, and a proof reveals no phone.
 * Staff who have signed in to the dashboard are known likewise, by their e-mail address.
 */
export interface Browser {
  /** From its cookie. */
  readonly name: string
  /** The proofs that it keeps, as text. */
  readonly proofs: string | undefined
}

/** Enough for a family. */
const max_proofs = 5
const mac_bytes = 16
const proofShape = /^([0-9a-z]{1,9})-([0-9a-f]{32})$/

interface Proof {
  readonly proven_s: number
  readonly mac: Buffer
}

/** Whether a phone was proven in a browser within thirty days before `now` by the machine's clock. */
export function isKnown(secrets: SecretBox, browser: Browser | undefined, whom: string, now: Date): boolean {
  if (browser === undefined) return false
  return readProofs(browser, now).some((proof) => isOf(secrets, proof, browser, whom))
}

/** The proofs that a browser should keep after a phone was proven in it. */
export function withProof(secrets: SecretBox, browser: Browser, whom: string, now: Date): string {
  const proven_s = Math.floor(now.getTime() / 1_000)
  const proof = { proven_s, mac: macOf(secrets, browser, whom, proven_s) }
  const others = readProofs(browser, now).filter((one) => !isOf(secrets, one, browser, whom))
  return [proof, ...others]
    .slice(0, max_proofs)
    .map(({ proven_s: s, mac }) => `${s.toString(36)}-${mac.toString('hex')}`)
    .join('.')
}

/** The proofs, the newest first. Skips those that are too old or malformed. */
function readProofs({ proofs = '' }: Browser, now: Date): Proof[] {
  const now_s = now.getTime() / 1_000
  return proofs
    .split('.', max_proofs)
    .flatMap((text) => {
      const [, time, mac] = proofShape.exec(text) ?? []
      if (time === undefined || mac === undefined) return []
      return [{ proven_s: Number.parseInt(time, 36), mac: Buffer.from(mac, 'hex') }]
    })
    .filter(({ proven_s }) => Math.abs(now_s - proven_s) < known_for_s)
}

/** Checks under both keys while the secret key is being changed. */
function isOf(secrets: SecretBox, { proven_s, mac }: Proof, browser: Browser, whom: string): boolean {
  return secrets
    .derivations(belongsTo(browser, whom, proven_s))
    .some((derived) => timingSafeEqual(mac, derived.subarray(0, mac_bytes)))
}

function macOf(secrets: SecretBox, browser: Browser, whom: string, proven_s: number): Buffer {
  return secrets.derive(belongsTo(browser, whom, proven_s)).subarray(0, mac_bytes)
}

function belongsTo({ name }: Browser, whom: string, proven_s: number): Belonging {
  return ['known browser', name, whom, proven_s]
}
