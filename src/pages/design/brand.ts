import { type Colour, modeColours, pageSurfaces, type Surfaces } from '../../domain/colour.ts'
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
