import Type, { type Static } from 'typebox'
import { boolean, instant, object, oneOf } from '../../http/api/fields.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import type { MerchantSettingsServices } from './dashboard-settings.ts'
import type { KeyPair } from './keys.ts'
import type { KeyDates } from './queries.ts'

const keys = Type.Object(
  {
    public_key: Type.String(),
    status: Type.Boolean({ description: 'Whether the pair is switched on.' }),
    created_at: instant(),
    private_key_created_at: instant(),
  },
  { title: 'Keys' },
)

function view({ public_key, status, created_at, private_key_created_at }: KeyDates) {
  return {
    public_key,
    status,
    created_at: created_at.toISOString(),
    private_key_created_at: (private_key_created_at ?? created_at).toISOString(),
  }
}

export const readKeys = {
  tag: 'Keys',
  summary: 'Read the public key and the state of the pair',
  description: 'The private key is shown once, when it is made.',
  data: keys,
  async handle({ merchant }: MerchantRequest, { merchantSettings }: MerchantSettingsServices) {
    return view(await merchantSettings.readKeys(merchant))
  },
} as const

const status = object({ status: boolean({ description: 'Requests with keys that are off are refused.' }) })

export const switchKeys = {
  tag: 'Keys',
  summary: 'Switch the pair on or off',
  body: status,
  data: keys,
  async handle(
    { merchant, body, actor }: MerchantRequest<Static<typeof status>>,
    { merchantSettings }: MerchantSettingsServices,
  ) {
    return view(await merchantSettings.switchKeys(merchant, body.status, actor))
  },
} as const

const which = object({
  which: oneOf(['private', 'both'], { description: 'The public key is replaced only together with the private one.' }),
})

const viewPair = ({ public_key, private_key }: KeyPair) => ({ public_key, private_key })

export const regenerateOneKey = {
  tag: 'Keys',
  summary: 'Replace the private key, or both',
  description: 'The old key is refused at once. Store the new private key: it is shown here and never again.',
  body: which,
  data: Type.Object({ public_key: Type.String(), private_key: Type.String() }),
  async handle(
    { merchant, body, actor, once }: MerchantRequest<Static<typeof which>>,
    { merchantSettings }: MerchantSettingsServices,
  ) {
    const how = { which: body.which, by: actor, keep: once.keeping(viewPair) }
    return viewPair(await merchantSettings.regenerateKeys(merchant, how))
  },
} as const
