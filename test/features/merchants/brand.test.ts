import { describe, expect, it } from 'vitest'
import { type Colour, parseColour } from '../../../src/domain/colour.ts'
import { max_logo_bytes } from '../../../src/domain/logo.ts'
import { createReadBrand, createReadLogo, setBrand } from '../../../src/features/merchants/brand.ts'
import { makeMerchant } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { logoFile, pngOf } from '../../support/logos.ts'

const database = testDatabase()
const now = new Date('2026-02-01T09:00:00Z')
const [green, red] = [colour('#0b6b4f'), colour('#c00')]

const read = (owner: { program_id: number; merchant_id: number }) => createReadBrand(database.db)(owner)
const logoOf = (owner: { program_id: number; merchant_id: number }, digest: string) =>
  createReadLogo(database.db)(owner, digest)

describe("a merchant's brand", () => {
  it('is only its name at first', async () => {
    const { program_id, merchant_id, name } = await makeMerchant(database.db)
    const bare = { name_ar: null, colour: null, logo: null, wide_logo: null }
    expect(await read({ program_id, merchant_id })).toEqual({ program_id, merchant_id, name, ...bare })
  })

  it('is null for an unknown merchant, and in another program', async () => {
    const [one, other] = [await makeMerchant(database.db), await makeMerchant(database.db)]
    expect(await read({ program_id: one.program_id, merchant_id: other.merchant_id })).toBeNull()
    expect(await read({ program_id: 999_999, merchant_id: 1 })).toBeNull()
  })

  it('has a colour and a logo that are set and removed independently', async () => {
    const owner = await makeMerchant(database.db)
    const png = pngOf(64, 32)
    const both = await setBrand(database.db, owner, { colour: green, logo: png }, now)
    const logo = { digest: expect.stringMatching(/^[0-9a-f]{32}$/), media_type: 'image/png', size_bytes: png.length }
    expect(both).toMatchObject({ colour: '#0b6b4f', logo })
    expect(await read(owner)).toEqual(both)

    const recoloured = await setBrand(database.db, owner, { colour: red }, now)
    expect(recoloured).toEqual({ ...both, colour: '#cc0000' })
    expect(await setBrand(database.db, owner, { colour: null }, now)).toEqual({ ...both, colour: null })
    const bare = await setBrand(database.db, owner, { colour: green, logo: null }, now)
    expect(bare).toEqual({ ...both, logo: null })
    expect(await setBrand(database.db, owner, {}, now)).toEqual(bare)
  })

  it('is set without changing those of others', async () => {
    const one = await makeMerchant(database.db)
    const other = await makeMerchant(database.db, { program_id: one.program_id })
    await setBrand(database.db, one, { colour: green, logo: logoFile.jpeg }, now)
    const before = await setBrand(database.db, other, { colour: red, logo: logoFile.lossy }, now)
    await setBrand(database.db, one, { colour: null, logo: null }, now)
    expect(await read(other)).toEqual(before)
    expect((await read(one))?.logo).toBeNull()
  })
})

describe('a logo', () => {
  it('is found by its digest, and no longer by the old one once replaced', async () => {
    const owner = await makeMerchant(database.db)
    const first = (await setBrand(database.db, owner, { logo: logoFile.jpeg }, now)).logo?.digest ?? ''
    expect(await logoOf(owner, first)).toEqual({ media_type: 'image/jpeg', content: logoFile.jpeg })
    const second = (await setBrand(database.db, owner, { logo: logoFile.lossless }, now)).logo?.digest ?? ''
    expect(second).not.toBe(first)
    expect(await logoOf(owner, first)).toBeNull()
    expect(await logoOf(owner, second)).toEqual({ media_type: 'image/webp', content: logoFile.lossless })
  })

  it('has the same digest if set again; two merchants may have the same', async () => {
    const [one, other] = [await makeMerchant(database.db), await makeMerchant(database.db)]
    const digests = [one, one, other].map((owner) => setBrand(database.db, owner, { logo: logoFile.lossy }, now))
    const [first, ...rest] = (await Promise.all(digests)).map(({ logo }) => logo?.digest)
    expect(rest).toEqual([first, first])
    expect(await logoOf({ ...one, merchant_id: other.merchant_id }, first ?? '')).toBeNull()
  })

  it('of exactly 128 KiB is stored byte for byte', async () => {
    const owner = await makeMerchant(database.db)
    const small = pngOf(32, 32)
    const full = Buffer.concat([small, Buffer.alloc(max_logo_bytes - small.length)])
    const digest = (await setBrand(database.db, owner, { logo: full }, now)).logo?.digest ?? ''
    expect((await logoOf(owner, digest))?.content).toEqual(full)
  })

  it.each([
    ['an empty file', Buffer.alloc(0), 'logo_empty'],
    ['one byte too many', Buffer.alloc(max_logo_bytes + 1), 'logo_too_large'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'logo_svg'],
    ['a page', Buffer.from('<html>'), 'logo_unknown'],
    ['half a file', logoFile.jpeg.subarray(0, 200), 'logo_broken'],
    ['a speck', pngOf(8, 8), 'logo_too_small'],
    ['a poster', pngOf(3_000, 400), 'logo_too_wide'],
    ['a stripe', pngOf(900, 20), 'logo_out_of_shape'],
  ])('is refused, and changes nothing: %s', async (_, logo, rule) => {
    const owner = await makeMerchant(database.db)
    const before = await setBrand(database.db, owner, { colour: green, logo: logoFile.lossy }, now)
    await expect(setBrand(database.db, owner, { colour: red, logo }, now)).rejects.toMatchObject({
      failure: { kind: 'validation', errors: [{ field: 'logo', rule }] },
    })
    expect(await read(owner)).toEqual(before)
  })
})

function colour(text: string): Colour {
  const parsed = parseColour(text)
  if (parsed === null) throw new Error(`no colour: ${text}`)
  return parsed
}
