import { timingSafeEqual } from 'node:crypto'
import type { Phone } from '../../domain/phone.ts'
import type { Belonging, SecretBox } from '../../lib/secrets.ts'

/**
 * A known browser: one in which a phone was proven within thirty days. It may ask more often, and that is all; it opens
 * nothing and shows nothing. What says so is kept in the browser: for each phone when it was proven, and an HMAC of that under
 * the secret key, bound to the browser's name. Nothing is stored here, and nobody learns a phone from it.
 */
export interface Browser {
  /** Of its cookie. */
  readonly name: string
  /** What it brings of the phones that were proven in it. */
  readonly proofs: string | undefined
}

const known_for_s = 30 * 86_400
/** Of one browser: a family's, not a shop's. */
const most_proofs = 5
const mac_bytes = 16
const proofShape = /^([0-9a-z]{1,9})-([0-9a-f]{32})$/

interface Proof {
  readonly proven_s: number
  readonly mac: Buffer
}

/** Whether a phone was proven in a browser within thirty days before `now` of the machine's clock. */
export function isKnown(secrets: SecretBox, browser: Browser | undefined, phone: Phone, now: Date): boolean {
  if (browser === undefined) return false
  return readProofs(browser, now).some((proof) => isOf(secrets, proof, browser, phone))
}

/** What a browser is to bring from now on, in which a phone has just been proven. */
export function withProof(secrets: SecretBox, browser: Browser, phone: Phone, now: Date): string {
  const proven_s = Math.floor(now.getTime() / 1_000)
  const proof = { proven_s, mac: macOf(secrets, browser, phone, proven_s) }
  const others = readProofs(browser, now).filter((one) => !isOf(secrets, one, browser, phone))
  return [proof, ...others]
    .slice(0, most_proofs)
    .map(({ proven_s: s, mac }) => `${s.toString(36)}-${mac.toString('hex')}`)
    .join('.')
}

/** Newest first, as they were written; what is too old or not ours to read is passed over. */
function readProofs({ proofs = '' }: Browser, now: Date): Proof[] {
  const now_s = now.getTime() / 1_000
  return proofs
    .split('.', most_proofs)
    .flatMap((text) => {
      const [, time, mac] = proofShape.exec(text) ?? []
      if (time === undefined || mac === undefined) return []
      return [{ proven_s: Number.parseInt(time, 36), mac: Buffer.from(mac, 'hex') }]
    })
    .filter(({ proven_s }) => Math.abs(now_s - proven_s) < known_for_s)
}

/** Under either key, while the secret key is being changed. */
function isOf(secrets: SecretBox, { proven_s, mac }: Proof, browser: Browser, phone: Phone): boolean {
  return secrets
    .derivations(belongsTo(browser, phone, proven_s))
    .some((derived) => timingSafeEqual(mac, derived.subarray(0, mac_bytes)))
}

function macOf(secrets: SecretBox, browser: Browser, phone: Phone, proven_s: number): Buffer {
  return secrets.derive(belongsTo(browser, phone, proven_s)).subarray(0, mac_bytes)
}

function belongsTo({ name }: Browser, phone: Phone, proven_s: number): Belonging {
  return ['known browser', name, phone, proven_s]
}
