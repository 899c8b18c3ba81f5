import { type Colour, modeColours, pageSurfaces, parseColour, type Surfaces } from '../../domain/colour.ts'
import type { ReadLogo } from '../../features/merchants/brand.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { attributes, type Html, html, type Part } from './html.ts'

/** Whose page it is. */
export interface Brand {
  readonly name: string
  readonly colour?: Colour | null
  /** Of our own: the logo's address on this service. */
  readonly logo_url?: string | null
}

/** The merchant's colour as accent of the page, readable in both modes. */
export function brandStyle(colour: Colour): string {
  const declare = (on: Surfaces): string => {
    const { accent, fill, ink } = modeColours(colour, on)
    return `:root{--accent:${accent};--brand:${fill};--brand-ink:${ink}}`
  }
  return `${declare(pageSurfaces.light)}@media (prefers-color-scheme:dark){${declare(pageSurfaces.dark)}}`
}

/** The name and the logo, at the head of a page. */
export function brandHeader({ name, logo_url }: Brand): Html {
  const logo: Part =
    typeof logo_url === 'string'
      ? html`<img class="brand-logo"${attributes({ src: logo_url })} alt="" width="40" height="40">`
      : html`<span class="brand-logo brand-letter" aria-hidden="true">${firstLetter(name)}</span>`
  return html`<div class="brand">${logo}<bdi class="brand-name">${name}</bdi></div>`
}

const letters = new Intl.Segmenter()

function firstLetter(name: string): string {
  const [segment] = letters.segment(name.trim())
  return segment?.segment.toLocaleUpperCase('en') ?? ''
}

export interface BrandServices {
  readonly readLogo: ReadLogo
}

/** A merchant as `layout` takes it, from what a story gives of it. */
export function brandOf(merchant: {
  readonly program_id: number
  readonly merchant_id: number
  readonly name: string
  /** As stored. */
  readonly colour: string | null
  readonly logo_digest: string | null
}): Brand {
  const { program_id, merchant_id, name, colour, logo_digest } = merchant
  const logo_url = logo_digest === null ? null : `/brand/${program_id}/${merchant_id}/${logo_digest}`
  return { name, colour: colour === null ? null : parseColour(colour), logo_url }
}

const gone: Page = {
  status: 404,
  body: 'Not found: the logo has been replaced.\n',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
}

/** A merchant's logo: its address changes with what it holds, so that it can be kept for ever. */
export const logoPage: PageRow<BrandServices> = {
  path: '/brand/:program/:merchant/:digest',
  async show({ params }: PageRequest, { readLogo }: BrandServices): Promise<Page> {
    const { program, merchant, digest } = params
    const [program_id, merchant_id] = [idOf(program), idOf(merchant)]
    if (program_id === null || merchant_id === null || !/^[0-9a-f]{32}$/.test(digest ?? '')) return gone
    const logo = await readLogo({ program_id, merchant_id }, digest ?? '')
    if (logo === null) return gone
    return {
      status: 200,
      body: logo.content,
      headers: {
        'content-type': logo.media_type,
        'cache-control': 'public, max-age=31536000, immutable',
        // Whatever a file pretends to be, opened by itself it can do nothing.
        'content-security-policy': "default-src 'none'; sandbox",
        vary: 'Accept-Encoding',
      },
    }
  },
}

function idOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}
