import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Command, InvalidArgumentError } from 'commander'
import { type Colour, contrastRatio, leastContrast, modeColours, pageSurfaces, parseColour } from '../domain/colour.ts'
import { max_logo_bytes } from '../domain/logo.ts'
import { type Brand, type BrandChange, createReadBrand, setBrand } from '../features/merchants/brand.ts'
import { findMerchant } from '../features/merchants/service.ts'
import { CliError, errorCode } from '../lib/errors.ts'
import { addChange, addExamples, type CommonOptions, withOutput } from './command.ts'
import { withDeployment } from './deployment.ts'
import { fileName } from './values.ts'

interface BrandOptions extends CommonOptions {
  /** False for `--no-colour`. */
  readonly colour?: Colour | false
  readonly logo?: string | false
  readonly wideLogo?: string | false
}

/** Adds `merchant brand`: shows or changes the colour and the logo of a merchant's pages. */
export function addBrandCommand(group: Command): void {
  const command = addChange(group, 'brand <merchant>', 'show or change the colour and the logo of its pages')
    .option('--colour <colour>', 'its colour, as #rgb or #rrggbb; made readable where it is not', colour)
    .option('--no-colour', 'take its colour away: ours is used')
    .option('--logo <file>', 'its logo: PNG, JPEG or WebP, at most 128 KiB', fileName)
    .option('--no-logo', 'take its logo away: its name is shown')
    .option(
      '--wide-logo <file>',
      'the logo that the header of its checkout shows instead of the logo and the name',
      fileName,
    )
    .option('--no-wide-logo', 'take its wide logo away')
  addExamples(command, [
    "nuqta merchant brand 'Corner Café' --colour '#0b6b4f' --logo logo.png",
    'nuqta merchant brand 7 --no-logo',
    'nuqta merchant brand 7 --json',
  ])
  command.action((merchantName: string, options: BrandOptions) =>
    withOutput(options, async (output) => {
      const change = await changeOf(options)
      return withDeployment(options, output, async ({ db, now, by }) => {
        const { program_id, merchant_id } = await findMerchant(db, merchantName)
        const owner = { program_id, merchant_id }
        const changes = Object.keys(change).length > 0
        const brand = changes ? await setBrand(db, owner, { ...change, by }, now) : await createReadBrand(db)(owner)
        if (brand === null) throw new Error('a merchant that was there is gone')
        output.result(viewBrand(brand), describeBrand(brand))
      })
    }),
  )
}

function colour(text: string): Colour {
  const parsed = parseColour(text)
  if (parsed === null) throw new InvalidArgumentError("It must be a colour like '#0b6b4f' or '#0b6', in quotes.")
  return parsed
}

async function changeOf({ colour: chosen, logo, wideLogo, shell: { cwd } }: BrandOptions): Promise<BrandChange> {
  return {
    ...(chosen === undefined ? {} : { colour: chosen === false ? null : chosen }),
    ...(logo === undefined ? {} : { logo: logo === false ? null : await readFile(logo, cwd) }),
    ...(wideLogo === undefined ? {} : { wide_logo: wideLogo === false ? null : await readFile(wideLogo, cwd) }),
  }
}

/** Reads at most one byte more than a logo may have, which is enough to refuse a larger file. */
async function readFile(path: string, cwd: string): Promise<Buffer> {
  try {
    return await buffer(createReadStream(resolve(cwd, path), { end: max_logo_bytes }))
  } catch (error) {
    const code = errorCode(error) ?? String(error)
    throw new CliError(`The logo ${path} cannot be read (${code}).`, { cause: error })
  }
}

function viewBrand({ program_id, merchant_id, name, name_ar, colour: chosen, logo, wide_logo }: Brand) {
  return {
    merchant_id,
    program_id,
    name,
    name_ar,
    colour: chosen,
    light: chosen === null ? null : viewMode(chosen, 'light'),
    dark: chosen === null ? null : viewMode(chosen, 'dark'),
    logo,
    wide_logo,
  }
}

/** The colours of one mode and their least contrast: of `ink` with the `fill` below, of the others with our surfaces. */
function viewMode(chosen: Colour, mode: 'light' | 'dark') {
  const surfaces = pageSurfaces[mode]
  const { accent, edge, fill, ink } = modeColours(chosen, surfaces)
  return {
    contrast: roundedDown(leastContrast(chosen, surfaces)),
    accent,
    accent_contrast: roundedDown(leastContrast(accent, surfaces)),
    edge,
    edge_contrast: roundedDown(leastContrast(edge, surfaces)),
    fill,
    ink,
    ink_contrast: roundedDown(contrastRatio(ink, fill)),
  }
}

/** Rounds down to two decimals: a contrast shown as 4.5 is at least 4.5. */
function roundedDown(ratio: number): number {
  return Math.floor(ratio * 100) / 100
}

function describeBrand(brand: Brand): string[] {
  const { merchant_id, name, name_ar, colour: chosen, logo, wide_logo } = brand
  const lines = [
    `merchant  ${merchant_id}  ${name}`,
    ...(name_ar === null ? [] : [`Arabic    ${name_ar}`]),
    logo === null ? 'logo      none: its name is shown' : `logo      ${describeLogo(logo)}`,
    ...(wide_logo === null ? [] : [`wide      ${describeLogo(wide_logo)}`]),
  ]
  if (chosen === null) return [...lines, 'colour    none: ours is used']
  return [...lines, `colour    ${chosen}`, ...describeMode(chosen, 'light'), ...describeMode(chosen, 'dark')]
}

function describeLogo({ media_type, size_bytes }: NonNullable<Brand['logo']>): string {
  return `${media_type}, ${(size_bytes / 1024).toFixed(1)} KiB`
}

function describeMode(chosen: Colour, mode: 'light' | 'dark'): string[] {
  const { contrast, accent, accent_contrast, edge, edge_contrast, fill, ink, ink_contrast } = viewMode(chosen, mode)
  const made = (colour: Colour): string =>
    colour === chosen ? 'as chosen' : mode === 'light' ? 'made darker' : 'made lighter'
  return [
    '',
    `In ${mode} mode ${chosen} has a contrast of ${contrast}:1 with the page. Used are:`,
    `  text and links   ${accent}  ${accent_contrast}:1, at least 4.5 (${made(accent)})`,
    `  marks and edges  ${edge}  ${edge_contrast}:1, at least 3 (${made(edge)})`,
    `  buttons          ${fill}  (as chosen)`,
    `  text on buttons  ${ink}  ${ink_contrast}:1, at least 4.5`,
  ]
}
