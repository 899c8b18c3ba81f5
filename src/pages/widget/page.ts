import type { Asking, ReadWidget } from '../../features/merchants/widget.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { answerAsset, assetUrl } from '../design/assets.ts'
import { isKnown } from '../design/encoding.ts'

/** The widget that a shop loads from this service (docs/widget.md). */

export interface WidgetServices {
  readonly readWidget: ReadWidget
}

/** Pages of any origin may load it, cross-origin isolated ones included. */
const any_origin = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' } as const

const script_caching = 'public, max-age=3600, stale-while-revalidate=86400'

/** `/widget.js`: its URL never changes, so browsers revalidate it after an hour. */
export const widgetScriptPage: PageRow<unknown> = {
  path: '/widget.js',
  async show(request: PageRequest): Promise<Page> {
    // The content hash. Weak, because the body comes in several encodings.
    const etag = `W/"${assetUrl('widget.js').split('.').at(-2)}"`
    const headers = { ...any_origin, 'cache-control': script_caching, etag }
    if (isKnown(request, etag)) return { status: 304, body: '', headers: { ...headers, vary: 'Accept-Encoding' } }
    return answerAsset('widget.js', request, headers)
  },
}

/** `/widget/:publicKey`: what the widget shows. Answers the same for an unknown key and a key that is off. */
export const widgetRatePage: PageRow<WidgetServices> = {
  path: '/widget/:publicKey',
  async show(request: PageRequest, { readWidget }: WidgetServices): Promise<Page> {
    const view = await readWidget(request.params['publicKey'] ?? '', askingPage(request))
    return {
      status: view === null ? 404 : 200,
      body: JSON.stringify(view ?? {}),
      headers: {
        ...any_origin,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        vary: 'Accept-Encoding, Origin',
      },
    }
  },
}

/** The origin of the page that asks. Browsers name it to other origins only. */
function askingPage({ headers }: PageRequest): Asking {
  const own = `https://${headers['host']}`
  const { origin } = headers
  if (typeof origin === 'string') return { origin, own }
  return { origin: headers['sec-fetch-site'] === 'same-origin' ? own : undefined, own }
}
