import { LRUCache } from 'lru-cache'
import { type Colour, modeColours, pageSurfaces, parseColour, type Surfaces } from '../../domain/colour.ts'
import { parseId } from '../../domain/ids.ts'
import type { Locale } from '../../domain/locale.ts'
import { type MerchantKey, nameIn } from '../../domain/merchant.ts'
import type { ReadLogo } from '../../features/merchants/brand.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { attributes, type Html, html, type Part } from './html.ts'

/** The merchant whose page it is. */
export interface Brand {
  readonly name: string
  readonly colour?: Colour | null
  /** The logo's path on this service. */
  readonly logo_url?: string | null
  /** The path of the logo that stands for logo and name where there is room. */
  readonly wide_logo_url?: string | null
}

/** Finding readable shades takes longer than the rest of a page, so styles are kept. */
const styles = new LRUCache<Colour, string>({ max: 500, memoMethod: styleOf })

/** CSS that makes the merchant's colour that of the page. Words on it and in it can be read in light and dark mode. */
export function brandStyle(colour: Colour): string {
  return styles.memo(colour)
}

function styleOf(colour: Colour): string {
  const declare = (on: Surfaces): string => {
    const { accent, edge, fill, ink } = modeColours(colour, on)
    return `:root{--accent:${accent};--brand:${fill};--brand-edge:${edge};--brand-ink:${ink}}`
  }
  return `${declare(pageSurfaces.light)}@media (prefers-color-scheme:dark){${declare(pageSurfaces.dark)}}`
}

/** The logo and the name at the top of a page. */
export function brandHeader({ name, logo_url, wide_logo_url }: Brand): Html {
  if (typeof wide_logo_url === 'string')
    return html`<div class="brand"><img class="brand-wide"${attributes({ src: wide_logo_url, alt: name })}></div>`
  const logo: Part =
    typeof logo_url === 'string'
      ? html`<img class="brand-logo"${attributes({ src: logo_url, 'data-letter': firstLetter(name) })} alt="" width="40" height="40">`
      : html`<span class="brand-logo brand-letter" aria-hidden="true">${firstLetter(name)}</span>`
  return html`<div class="brand">${logo}<span class="brand-name"><bdi>${name}</bdi></span></div>`
}

const letters = new Intl.Segmenter()

function firstLetter(name: string): string {
  const [segment] = letters.segment(name.trim())
  return segment?.segment.toLocaleUpperCase('en') ?? ''
}

export interface BrandServices {
  readonly readLogo: ReadLogo
}

/** A merchant with what its pages show of its brand. */
interface BrandedMerchant {
  readonly program_id: number
  readonly merchant_id: number
  readonly name: string
  readonly name_ar: string | null
  /** As stored in the database. */
  readonly colour: string | null
  readonly logo_digest: string | null
  readonly wide_logo_digest?: string | null
}

/** The brand of a merchant, for `layout`. */
export function brandOf(merchant: BrandedMerchant, locale: Locale): Brand {
  const { colour, logo_digest, wide_logo_digest = null } = merchant
  return {
    name: nameIn(merchant, locale),
    colour: colour === null ? null : parseColour(colour),
    logo_url: logoUrl(merchant, logo_digest),
    wide_logo_url: logoUrl(merchant, wide_logo_digest),
  }
}

/** The path of a logo on this service. */
function logoUrl({ program_id, merchant_id }: MerchantKey, digest: string | null): string | null {
  return digest === null ? null : `/brand/${program_id}/${merchant_id}/${digest}`
}

const notFound: Page = {
  status: 404,
  body: 'Not found: the logo has been replaced.\n',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
}

/** A merchant's logo. Its path holds the digest of its content, so browsers can keep it for ever. */
export const logoPage: PageRow<BrandServices> = {
  path: '/brand/:program/:merchant/:digest',
  async show({ params }: PageRequest, { readLogo }: BrandServices): Promise<Page> {
    const { program = '', merchant = '', digest = '' } = params
    const [program_id, merchant_id] = [parseId(program), parseId(merchant)]
    if (program_id === null || merchant_id === null || !/^[0-9a-f]{32}$/.test(digest)) return notFound
    const logo = await readLogo({ program_id, merchant_id }, digest)
    if (logo === null) return notFound
    return {
      status: 200,
      body: logo.content,
      headers: {
        'content-type': logo.media_type,
        'cache-control': 'public, max-age=31536000, immutable',
        // An uploaded file opened by itself can run nothing.
        'content-security-policy': "default-src 'none'; sandbox",
        vary: 'Accept-Encoding',
      },
    }
  },
}
