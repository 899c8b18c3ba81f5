import { readdirSync, readFileSync } from 'node:fs'
import type { Locale, LocalText } from '../../domain/locale.ts'
import { Html } from '../design/html.ts'
import { type ApiDescription, endpointsByTag } from './description.ts'
import { loadMarkdown, renderMarkdown } from './markdown.ts'
import { renderEndpoints } from './reference.ts'
import { type Group, groups, guides, tagsInArabic } from './texts.ts'

/** A page of the documentation, below `/docs/`. */
export interface Entry {
  readonly slug: string
  readonly group: Group
  readonly title: LocalText
  /** Its content, with one h1. The links in it lead to pages in the reader's language. */
  readonly render: (locale: Locale) => Content
}

export interface Content {
  /** English where there is no text in the reader's language. */
  readonly language: Locale
  readonly html: Html
}

/** `docs/` of the project, and its guides in Arabic: as far from src/pages/docs/ as from dist/pages/docs/. */
const folder = new URL('../../../docs/', import.meta.url)
const arabicFolder = new URL('ar/', folder)

/** Gives every page, in reading order: the guides of `docs/` and the API reference, a page for each tag. */
export async function readLibrary(description: ApiDescription): Promise<Entry[]> {
  const all = [...(await readGuides()), ...reference(description)]
  return groups.flatMap((group) => all.filter((entry) => entry.group === group))
}

async function readGuides(): Promise<Entry[]> {
  const markdown = await loadMarkdown()
  const texts = readTexts(folder)
  const arabic = readTexts(arabicFolder)
  const titles = new Map(Array.from(texts, ([name, text]) => [name, guides[name]?.en ?? headingOf(text) ?? name]))
  const named = Object.keys(guides).filter((name) => texts.has(name))
  return [...new Set([...named, ...texts.keys()])].map((name) => {
    const title = titles.get(name) ?? name
    const english = texts.get(name) ?? ''
    const render = (locale: Locale): Content => {
      const own = locale === 'ar' ? arabic.get(name) : undefined
      const rendered = renderMarkdown(own ?? english, { markdown, titles, original: english }, `?lang=${locale}`)
      return { language: own === undefined ? 'en' : locale, html: new Html(rendered) }
    }
    const { group = 'operate', ar = title } = guides[name] ?? {}
    return { slug: name, group, title: { en: title, ar }, render }
  })
}

/** The guides of a folder by the names of their files. */
function readTexts(of: URL): ReadonlyMap<string, string> {
  const files = readdirSync(of).filter((name) => name.endsWith('.md'))
  return new Map(files.sort().map((name) => [name.slice(0, -'.md'.length), readFileSync(new URL(name, of), 'utf8')]))
}

function headingOf(text: string): string | undefined {
  return /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '')
}

function reference(description: ApiDescription): Entry[] {
  return endpointsByTag(description).map(({ tag, endpoints }) => ({
    slug: `api-${tag.toLowerCase()}`,
    group: 'api',
    title: { en: tag, ar: tagsInArabic[tag] ?? tag },
    render: () => ({ language: 'en', html: renderEndpoints(tag, endpoints, description) }),
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
