import type { ReadEarnRate } from '../features/merchants/widget.ts'
import type { Page, PageRequest, PageRow } from '../http/pages/page.ts'
import { answerAsset, assetUrl } from './design/assets.ts'

/** What a merchant's shop loads from us: docs/widget.md. */

export interface WidgetServices {
  readonly readEarnRate: ReadEarnRate
}

/** Pages of any origin may load it, those that are isolated from other origins too. */
const anywhere = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' } as const

const unchanged = 'public, max-age=3600, stale-while-revalidate=86400'

/** `/widget.js`: its address never changes, so that browsers ask after an hour whether its content has. */
export const widgetScriptPage: PageRow<unknown> = {
  path: '/widget.js',
  async show(request: PageRequest): Promise<Page> {
    // Named by its content; weak, since it is packed in several ways.
    const etag = `W/"${assetUrl('widget.js').split('.').at(-2)}"`
    const headers = { ...anywhere, 'cache-control': unchanged, etag }
    const known = String(request.headers['if-none-match'] ?? '').split(',')
    if (known.some((one) => one.trim() === etag))
      return { status: 304, body: '', headers: { ...headers, vary: 'Accept-Encoding' } }
    return answerAsset('widget.js', request, headers)
  },
}

/** `/widget/:publicKey`: what a purchase earns. A key that is unknown and one that is switched off are answered alike. */
export const widgetRatePage: PageRow<WidgetServices> = {
  path: '/widget/:publicKey',
  async show({ params }: PageRequest, { readEarnRate }: WidgetServices): Promise<Page> {
    const rate = await readEarnRate(params['publicKey'] ?? '')
    return {
      status: rate === null ? 404 : 200,
      body: JSON.stringify(rate ?? {}),
      headers: {
        ...anywhere,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        vary: 'Accept-Encoding',
      },
    }
  },
}
