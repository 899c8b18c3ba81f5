import type { Environment } from '../../config/config.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { answerAsset } from '../design/assets.ts'

/** Files that browsers and search engines ask for by name. */

interface RootServices {
  readonly environment: Environment
}

/** Their URLs never change, so browsers ask again after a day. */
const caching = { 'cache-control': 'public, max-age=86400' }

function rootAsset(path: string, asset: string): PageRow<RootServices> {
  return {
    path,
    async show(request: PageRequest): Promise<Page> {
      return answerAsset(asset, request, caching)
    },
  }
}

/** Search engines may list what is the same for everyone. Checkouts and wallets are private. */
const listed = `User-agent: *
Allow: /$
Allow: /assets/
Allow: /docs
Allow: /terms
Disallow: /
`

/** A sandbox is not listed at all. */
const unlisted = `User-agent: *
Disallow: /
`

const robots: PageRow<RootServices> = {
  path: '/robots.txt',
  async show(_request: PageRequest, { environment }: RootServices): Promise<Page> {
    const body = environment === 'production' ? listed : unlisted
    return { status: 200, body, headers: { ...caching, 'content-type': 'text/plain; charset=utf-8' } }
  },
}

export const rootFiles: readonly PageRow<RootServices>[] = [
  rootAsset('/favicon.ico', 'favicon.ico'),
  rootAsset('/favicon.svg', 'favicon.svg'),
  rootAsset('/apple-touch-icon.png', 'touch.png'),
  robots,
]
