import { createHash } from 'node:crypto'
import { DomainError } from '../../domain/failures.ts'
import type { Locale } from '../../domain/locale.ts'
import type { Operator } from '../../domain/operator.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { answerEncoded, type Encoded, encoded, isKnown } from '../design/encoding.ts'
import type { ApiDescription } from './description.ts'
import { entryPage, homePage } from './frame.ts'
import { type Entry, readLibrary } from './library.ts'
import { searchIndex } from './search.ts'

export interface DocsServices {
  readonly operator: Operator
}

interface Kept extends Encoded {
  readonly etag: string
  readonly headers: Page['headers']
}

/**
 * `/docs`: the guides and the API reference. Each page is made on its first request and kept compressed, in both languages,
 * so that memory is bounded by the number of pages.
 */
export function docsPages(describe: () => ApiDescription): PageRow<DocsServices>[] {
  let library: readonly Entry[] | undefined
  const kept = new Map<string, Kept>()

  async function read(): Promise<readonly Entry[]> {
    library ??= await readLibrary(describe())
    return library
  }

  async function answer(name: string, request: PageRequest, make: (locale: Locale) => Page): Promise<Page> {
    const key = `${name} ${request.locale}`
    const one = kept.get(key) ?? keep(make(request.locale))
    kept.set(key, one)
    const headers = {
      ...one.headers,
      etag: one.etag,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding, Accept-Language, Cookie',
    }
    return isKnown(request, one.etag) ? { status: 304, body: '', headers } : answerEncoded(one, request, headers)
  }

  return [
    {
      path: '/docs',
      async show(request, { operator }) {
        const entries = await read()
        return answer('', request, (locale) => homePage({ entries, locale, operator }))
      },
    },
    {
      path: '/docs/search.json',
      async show(request) {
        const entries = await read()
        return answer('search.json', request, (locale) => searchIndex(entries, locale))
      },
    },
    {
      path: '/docs/:page',
      async show(request, { operator }) {
        const entries = await read()
        const entry = entries.find(({ slug }) => slug === request.params['page'])
        if (entry === undefined) throw new DomainError({ kind: 'path_not_found' })
        return answer(entry.slug, request, (locale) => entryPage(entry, { entries, locale, operator }))
      },
    },
  ]
}

function keep({ body, headers }: Page): Kept {
  const plain = Buffer.from(body)
  const etag = `W/"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`
  return { ...encoded(plain, { quality: 7 }), etag, headers }
}
