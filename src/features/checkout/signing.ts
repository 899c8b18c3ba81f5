import { createHash, createHmac } from 'node:crypto'
import { audit } from '../../db/audit.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit, Transaction } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import { checkExpiry, findLineBreaks, type SignedFields, signedText } from '../../domain/checkout-request.ts'
import type { FieldError } from '../../domain/failures.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { newSecretText } from '../../lib/ids.ts'
import { type Belonging, isSameSecret, type SecretBox } from '../../lib/secrets.ts'
import { type CheckoutRules, fillCheckoutSecret, updateCheckoutSecret } from '../merchants/queries.ts'

/** The signature fields of a request. */
export interface GivenSignature {
  readonly signature: string | undefined
  readonly signature_expires_at: number | undefined
}

/** The signed fields besides the expiry. */
export type SignedRequest = Omit<SignedFields, 'signature_expires_at' | 'metadata_sha256'> & {
  /** The bytes as sent, or null. */
  readonly metadata: Uint8Array | null
}

/** Whether a checkout is signed, or what is wrong with its signature. */
export type SignatureChecked = { readonly signed: boolean } | { readonly mistakes: readonly FieldError[] }

/**
 * Checks a signature, also where the merchant does not require one: a shop finds its mistakes before it requires signatures.
 * Without a secret, a signature that is not required is ignored. Calls `request` only when there is a signature to check.
 */
export function checkSignature(
  { signature, signature_expires_at }: GivenSignature,
  request: () => SignedRequest,
  { required, secret, now_ms }: { readonly required: boolean; readonly secret: string | null; readonly now_ms: number },
): SignatureChecked {
  if (!required && (signature === undefined || secret === null)) return { signed: false }
  const missing = Object.entries({ signature, signature_expires_at }).filter(([, value]) => value === undefined)
  if (signature === undefined || signature_expires_at === undefined || secret === null)
    return { mistakes: missing.map(([field]) => ({ field, rule: 'required' })) }
  const { metadata, ...fields } = request()
  const breaks = findLineBreaks(fields)
  if (breaks.length > 0) return { mistakes: breaks }
  const metadata_sha256 = metadata === null ? '' : createHash('sha256').update(metadata).digest('hex')
  const expected = sign(signedText({ ...fields, signature_expires_at, metadata_sha256 }), secret)
  if (!isSameSecret(signature, expected)) return { mistakes: [{ field: 'signature', rule: 'signature' }] }
  const expiry = checkExpiry(signature_expires_at, now_ms)
  return expiry === null ? { signed: true } : { mistakes: [expiry] }
}

function sign(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text, 'utf8').digest('hex')
}

/** Unseals the checkout secret of a merchant, or gives null where it has none. */
export function openCheckoutSecret(
  secrets: SecretBox,
  merchant: MerchantKey,
  { checkout_secret }: Pick<CheckoutRules, 'checkout_secret'>,
): string | null {
  return checkout_secret === null ? null : secrets.open(checkout_secret, checkoutSecretBelongsTo(merchant))
}

/** Makes a checkout secret for a merchant that has none, and gives it this once. Gives null where there is one already. */
export async function makeCheckoutSecret(
  tx: Transaction,
  secrets: SecretBox,
  merchant: MerchantKey,
  now: Date,
): Promise<string | null> {
  const secret = newSecret()
  const made = await tx.one(fillCheckoutSecret(merchant, secrets.seal(secret, checkoutSecretBelongsTo(merchant)), now))
  return made === undefined ? null : secret
}

/** Replaces the checkout secret of a merchant, and gives the new one this once. Signatures with the old one then fail. */
export async function rotateCheckoutSecret(
  {
    db,
    secrets,
    by,
    keep,
  }: {
    readonly db: Database
    readonly secrets: SecretBox
    readonly by?: Actor | undefined
    readonly keep?: BeforeCommit<string> | undefined
  },
  merchant: MerchantKey,
  now: Date,
): Promise<string> {
  const secret = newSecret()
  const { program_id, merchant_id } = merchant
  const object = `merchant:${merchant_id}` as const
  await db.transaction(async (tx) => {
    void tx.run(updateCheckoutSecret(merchant, secrets.seal(secret, checkoutSecretBelongsTo(merchant)), now))
    audit(tx, by, [{ program_id, action: 'merchant.rotate-checkout-secret', object, before: null, after: null }])
    await keep?.(tx, secret)
  })
  return secret
}

/** 130 bits. */
function newSecret(): string {
  return `chsec_${newSecretText()}`
}

/** The context that a merchant's checkout secret is sealed with. */
export function checkoutSecretBelongsTo({ program_id, merchant_id }: MerchantKey): Belonging {
  return ['checkout secret', program_id, merchant_id]
}
