import Type, { type Static } from 'typebox'
import { type Colour, leastContrast, modeColours, pageSurfaces, parseColour } from '../../domain/colour.ts'
import { DomainError, refuseFields } from '../../domain/failures.ts'
import { max_logo_bytes } from '../../domain/logo.ts'
import { max_merchant_name } from '../../domain/merchant.ts'
import { line, nullable, object, optional, refine, text } from '../../http/api/fields.ts'
import type { MerchantRequest } from '../../http/dashboard/route.ts'
import { checkVersion, sentVersion, versionField, withVersion } from '../../http/dashboard/version.ts'
import type { Brand } from './brand.ts'
import type { LogoRow } from './brand-queries.ts'
import type { MerchantSettingsServices } from './dashboard-settings.ts'

const logo = nullable(
  Type.Object({ url: Type.String({ description: 'On this service.' }), size_bytes: Type.Integer() }),
)

const shades = nullable(
  Type.Object(
    { accent: Type.String(), fill: Type.String(), ink: Type.String(), contrast: Type.Number() },
    { description: 'What pages use instead, so that people can read it. `contrast`: of the colour itself.' },
  ),
)

const brandSchema = Type.Object(
  {
    name: Type.String(),
    name_ar: nullable(Type.String({ description: 'On Arabic pages.' })),
    colour: nullable(Type.String({ examples: ['#0b6b4f'] })),
    light: shades,
    dark: shades,
    logo,
    wide_logo: logo,
    version: versionField,
  },
  { title: 'Brand' },
)

function view(brand: Brand) {
  const { name, name_ar, colour } = brand
  return {
    name,
    name_ar,
    colour,
    light: shadesOf(colour, 'light'),
    dark: shadesOf(colour, 'dark'),
    logo: viewLogo(brand, brand.logo),
    wide_logo: viewLogo(brand, brand.wide_logo),
  }
}

/** A logo is saved as soon as it is chosen: it says nothing about what is typed beside it. */
function formOf({ name, name_ar, colour }: Brand) {
  return { name, name_ar, colour }
}

const viewVersioned = (brand: Brand) => withVersion(view(brand), formOf(brand))

function shadesOf(colour: Colour | null, mode: 'light' | 'dark') {
  if (colour === null) return null
  const surfaces = pageSurfaces[mode]
  const { accent, fill, ink } = modeColours(colour, surfaces)
  return { accent, fill, ink, contrast: Math.floor(leastContrast(colour, surfaces) * 100) / 100 }
}

function viewLogo({ program_id, merchant_id }: Brand, row: LogoRow | null) {
  if (row === null) return null
  return { url: `/brand/${program_id}/${merchant_id}/${row.digest}`, size_bytes: row.size_bytes }
}

export const readBrand = {
  tag: 'Brand',
  summary: "Read how a merchant's pages look",
  data: brandSchema,
  async handle({ merchant }: MerchantRequest, { merchantSettings }: MerchantSettingsServices) {
    return viewVersioned(await merchantSettings.readBrand(merchant))
  },
} as const

const isColour = (value: unknown): boolean => typeof value !== 'string' || parseColour(value) !== null

const change = object({
  version: sentVersion(),
  name: line({ max: max_merchant_name }),
  name_ar: optional(
    line({ max: max_merchant_name, description: 'Without it, Arabic pages show the same name as the others.' }),
  ),
  colour: optional(
    refine(Type.String({ description: '#rgb or #rrggbb; without it, our own colour is used.' }), 'colour', isColour),
  ),
})

export const changeBrand = {
  tag: 'Brand',
  summary: "Change the names and the colour of a merchant's pages",
  description: 'Send all of them: what is not sent is removed.',
  body: change,
  data: brandSchema,
  failures: ['stale'],
  async handle(
    { merchant, body, actor }: MerchantRequest<Static<typeof change>>,
    { merchantSettings }: MerchantSettingsServices,
  ) {
    const { version, name, name_ar = null, colour } = body
    const check = (was: Brand) => checkVersion(version, view(was), formOf(was))
    const changes = { name, name_ar, colour: colour === undefined ? null : parseColour(colour) }
    return viewVersioned(await merchantSettings.changeBrand(merchant, changes, { by: actor, check }))
  },
} as const

/** Base64 takes four characters for three bytes. One byte too many is refused by the rule for logos. */
const max_base64 = Math.ceil((max_logo_bytes + 1) / 3) * 4

const file = object({
  content: text({ max: max_base64, description: 'A PNG, JPEG or WebP file of at most 128 KiB, in Base64.' }),
})

function shapeOf(shape: string): 'logo' | 'wide_logo' {
  if (shape === 'square') return 'logo'
  if (shape === 'wide') return 'wide_logo'
  throw new DomainError({ kind: 'not_found' })
}

/** Logos are no part of what a form overwrites, so they need no version. */
const check = (): void => undefined

export const putLogo = {
  tag: 'Brand',
  summary: 'Set or replace a logo',
  description: '`shape` is `square` or `wide`. The header of the checkout shows the wide one where there is one.',
  body: file,
  data: brandSchema,
  failures: ['not_found'],
  async handle(
    { merchant, params, body, actor }: MerchantRequest<Static<typeof file>, 'shape'>,
    { merchantSettings }: MerchantSettingsServices,
  ) {
    const field = shapeOf(params.shape)
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body.content)) refuseFields({ field: 'content', rule: 'logo_broken' })
    const bytes = Buffer.from(body.content, 'base64')
    return viewVersioned(await merchantSettings.changeBrand(merchant, { [field]: bytes }, { by: actor, check }))
  },
} as const

export const deleteLogo = {
  tag: 'Brand',
  summary: 'Remove a logo',
  data: brandSchema,
  failures: ['not_found'],
  async handle(
    { merchant, params, actor }: MerchantRequest<undefined, 'shape'>,
    { merchantSettings }: MerchantSettingsServices,
  ) {
    const field = shapeOf(params.shape)
    return viewVersioned(await merchantSettings.changeBrand(merchant, { [field]: null }, { by: actor, check }))
  },
} as const
