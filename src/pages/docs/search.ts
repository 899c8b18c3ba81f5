import type { Locale } from '../../domain/locale.ts'
import type { Page } from '../../http/pages/page.ts'
import { type Entry, sectionsOf } from './library.ts'

/** A section: the title of its page, its heading, where it is, and the words that find it. `src/browser/docs.ts` reads it. */
type Row = readonly [page: string, heading: string, place: string, words: string]

/** `/docs/search.json`: every section with its words, each once. Sorted, they compress by an eighth more. */
export function searchIndex(entries: readonly Entry[], locale: Locale): Page {
  const rows = entries.flatMap((entry): Row[] =>
    sectionsOf(entry.render(locale).html).map(({ id, title, text, level }) => [
      entry.title[locale],
      title,
      `/docs/${entry.slug}#${level === 1 ? '' : id}`,
      wordsOf(`${entry.title.en} ${entry.title.ar} ${title} ${text}`),
    ]),
  )
  return { status: 200, body: JSON.stringify(rows), headers: { 'content-type': 'application/json; charset=utf-8' } }
}

function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]+/gu) ?? []
  return [...new Set(words.map((word) => word.replace(/[.-]+$/, '')))].sort().join(' ')
}
