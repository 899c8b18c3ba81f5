import { readdirSync, readFileSync } from 'node:fs'
import type { Locale, LocalText } from '../../domain/locale.ts'
import { Html } from '../design/html.ts'
import { type ApiDescription, endpointsByTag } from './description.ts'
import { renderMarkdown } from './markdown.ts'
import { renderEndpoints } from './reference.ts'
import { type Group, guides, tagsInArabic } from './texts.ts'

/** A page of the documentation, below `/docs/`. */
export interface Entry {
  readonly slug: string
  readonly group: Group
  readonly title: LocalText
  /** Its content in English, with one h1. */
  readonly render: (locale: Locale) => Html
}

/** `docs/` of the project: as far from src/pages/docs/ as from dist/pages/docs/. */
const folder = new URL('../../../docs/', import.meta.url)

/** Gives every page, in reading order: the guides of `docs/` and the API reference, a page for each tag. */
export function readLibrary(description: ApiDescription): Entry[] {
  const all = [...readGuides(), ...reference(description)]
  const groups: readonly Group[] = ['integrate', 'api', 'operate']
  return groups.flatMap((group) => all.filter((entry) => entry.group === group))
}

function readGuides(): Entry[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const names = new Set(files.map((name) => name.slice(0, -'.md'.length)))
  const ordered = [...Object.keys(guides).filter((name) => names.has(name)), ...[...names].sort()]
  return [...new Set(ordered)].map((name) => {
    const text = readFileSync(new URL(`${name}.md`, folder), 'utf8')
    const heading = /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? name
    const { group, en, ar } = guides[name] ?? { group: 'operate' as const, en: heading, ar: heading }
    const render = (locale: Locale) => new Html(renderMarkdown(text, names, `?lang=${locale}`))
    return { slug: name, group, title: { en, ar }, render }
  })
}

function reference(description: ApiDescription): Entry[] {
  return endpointsByTag(description).map(({ tag, endpoints }) => ({
    slug: `api-${tag.toLowerCase()}`,
    group: 'api',
    title: { en: tag, ar: tagsInArabic[tag] ?? tag },
    render: () => renderEndpoints(tag, endpoints, description),
  }))
}

/** A heading with its anchor, and the text below it. */
export interface Section {
  readonly level: number
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Gives the sections of a rendered page that have anchors. */
export function sectionsOf({ text }: Html): Section[] {
  const parts = text.split(/(?=<h[1-3] id=")/)
  return parts.flatMap((part) => {
    const [whole, level, id, title] = /^<h([1-3]) id="([^"]*)"[^>]*>([\s\S]*?)<\/h\1>/.exec(part) ?? []
    if (whole === undefined || id === undefined || title === undefined) return []
    return [{ level: Number(level), id, title: plainText(title), text: plainText(part.slice(whole.length)) }]
  })
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

/** The text of our own HTML. */
function plainText(markup: string): string {
  const bare = markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')
  return bare.replace(/\s+/g, ' ').trim()
}
