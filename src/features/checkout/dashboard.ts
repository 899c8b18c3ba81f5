import Type, { type Static } from 'typebox'
import type { Environment } from '../../config/config.ts'
import type { Database } from '../../db/pool.ts'
import type { BeforeCommit } from '../../db/transaction.ts'
import type { Actor } from '../../domain/audit.ts'
import type { MerchantKey } from '../../domain/merchant.ts'
import { boolean, nullable, object } from '../../http/api/fields.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets.ts'
import { setMerchant } from '../merchants/service.ts'
import { makeCheckoutSecret, rotateCheckoutSecret } from './signing.ts'

export interface SignedCheckoutServices {
  readonly signedCheckouts: SignedCheckouts
}

interface Switched {
  readonly signed_checkouts: boolean
  /** The new secret, shown this once; null where there was one before. */
  readonly checkout_secret: string | null
}

/** Whether a merchant's server has to sign checkouts, and the secret under which it does. */
export interface SignedCheckouts {
  switch(
    owner: MerchantKey,
    on: boolean,
    how: { readonly by: Actor; readonly keep?: BeforeCommit<Switched> | undefined },
  ): Promise<Switched>
  /** Gives the new secret, shown this once. */
  rotate(
    owner: MerchantKey,
    how: { readonly by: Actor; readonly keep?: BeforeCommit<string> | undefined },
  ): Promise<string>
}

export function createSignedCheckouts({
  db,
  secrets,
  clock,
  environment,
}: {
  readonly db: Database
  readonly secrets: SecretBox
  readonly clock: Clock
  readonly environment: Environment
}): SignedCheckouts {
  return {
    async switch(owner, on, { by, keep }) {
      let switched: Switched = { signed_checkouts: on, checkout_secret: null }
      await setMerchant(db, owner, {
        ...{ environment, by, now: clock.now(), changes: { signed_checkouts: on } },
        async before(tx) {
          const checkout_secret = on ? await makeCheckoutSecret(tx, secrets, owner, new Date()) : null
          switched = { signed_checkouts: on, checkout_secret }
          await keep?.(tx, switched)
        },
      })
      return switched
    },
    rotate: (owner, { by, keep }) => rotateCheckoutSecret({ db, secrets, by, keep }, owner, new Date()),
  }
}

const body = object({ signed_checkouts: boolean() })

const viewSwitched = ({ signed_checkouts, checkout_secret }: Switched) => ({ signed_checkouts, checkout_secret })

export const switchSignedCheckouts = {
  tag: 'Settings',
  summary: 'Require signed checkouts, or require them no longer',
  description: 'Store the secret that comes the first time: it is shown here and never again.',
  body,
  data: Type.Object({
    signed_checkouts: Type.Boolean(),
    checkout_secret: nullable(Type.String(), { description: 'Null where there was one before.' }),
  }),
  async handle(
    { merchant, body: { signed_checkouts }, actor, once }: MerchantRequest<Static<typeof body>>,
    { signedCheckouts }: SignedCheckoutServices,
  ) {
    const how = { by: actor, keep: once.keeping(viewSwitched) }
    return viewSwitched(await signedCheckouts.switch(merchant, signed_checkouts, how))
  },
} as const

const viewSecret = (checkout_secret: string) => ({ checkout_secret })

export const rotateOneCheckoutSecret = {
  tag: 'Settings',
  summary: 'Replace the secret of signed checkouts',
  description: 'Signatures with the old one are refused at once. Store the new one: it is shown here and never again.',
  data: Type.Object({ checkout_secret: Type.String() }),
  async handle({ merchant, actor, once }: MerchantRequest, { signedCheckouts }: SignedCheckoutServices) {
    return viewSecret(await signedCheckouts.rotate(merchant, { by: actor, keep: once.keeping(viewSecret) }))
  },
} as const
